import type { ChangeEffect, Side } from "./change.js";
import type { PairedContracts, WirePair } from "./paired-contracts.js";
import {
  effectsIn,
  levelOfMisfit,
  nounOf,
  type Shift,
  sideOf,
} from "./effects.js";
import {
  findLoosened,
  findRefusedIntegers,
  findTightened,
  haveSameLimits,
  type LimitChange,
  printLimitChange,
} from "./limits.js";
import { nameOf } from "./names.js";
import { swap } from "./pairing.js";
import type { WireValue } from "./value.js";

/**
 * Limits on what one side writes that are tighter (`narrower`) or looser (`wider`)
 * than before.
 */
export function findLimitChanges(
  { values, modes }: PairedContracts,
  side: Side,
  shift: keyof Shift,
  help: string,
): readonly ChangeEffect[] {
  const isNarrower = shift === "narrower";
  const find = (pair: WirePair<WireValue>): readonly LimitChange[] => [
    ...(isNarrower ? findTightened : findLoosened)(pair, modes),
    ...(pair.flow !== "response" && pair.after.form === "json"
      ? findIntegers(pair, isNarrower)
      : []),
  ];
  return values
    .filter(
      (pair) =>
        pair.flow !== "receipt" &&
        sideOf(pair.flow) === side &&
        haveSameLimits(pair),
    )
    .flatMap((pair) =>
      find(pair).map((limit) => ({
        effects: effectsIn(pair.flow, {
          [shift]: limit.isCertain ? levelOfMisfit(pair.flow) : "danger",
        }),
        message: `${nameOf(limit.subjects.after)} allows ${isNarrower ? "less" : "more"} in ${nounOf[pair.flow]}: ${printLimitChange(limit)}`,
        ...limit.subjects,
        path: pair.path,
        help,
      })),
    );
}

/** Only whoever checks requests and webhooks takes integers for texts. */
function findIntegers(
  pair: WirePair<WireValue>,
  isNarrower: boolean,
): readonly LimitChange[] {
  if (isNarrower) return findRefusedIntegers(pair);
  return findRefusedIntegers(swap(pair)).map((change) => ({
    ...change,
    ...swap(change),
    subjects: swap(change.subjects),
  }));
}

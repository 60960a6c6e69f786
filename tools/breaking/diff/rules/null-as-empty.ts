import type { ChangeEffect, Side } from "../facts/change.js";
import {
  effectsIn,
  type Flow,
  levelOfViolation,
  nounOf,
  type Shift,
} from "../facts/effects.js";
import { nameOf } from "../facts/names.js";
import type { PairedContracts } from "../facts/paired-contracts.js";
import type { BreakingRule } from "../facts/rule.js";

const empty = "an empty list, map or `[]byte`";

/** Creates a rule about messages whose reader no longer reads null as empty. */
export function nullAsEmptyTurnedOff(side: Side): BreakingRule {
  const flows: readonly Flow[] =
    side === "request" ? ["request"] : ["response", "event"];
  return (contracts) => {
    const { before, after } = contracts.modes;
    if (before.nullAsEmpty !== true || after.nullAsEmpty === true) return [];
    return flows.flatMap((flow) =>
      reportFirst(contracts, flow, {
        shift: { narrower: levelOfViolation(flow) },
        what: `null is no longer read as ${empty}`,
        help: "set `nullAsEmpty: true`, because Go sends null for nil",
      }),
    );
  };
}

/**
 * Finds requests in which null is now read as empty. Responses and webhooks do
 * not change, because ridlkit never sends this null.
 */
export const nullAsEmptyTurnedOn: BreakingRule = (contracts) => {
  const { before, after } = contracts.modes;
  if (before.nullAsEmpty === true || after.nullAsEmpty !== true) return [];
  return reportFirst(contracts, "request", {
    shift: { wider: "danger" },
    what: `null is now read as ${empty}`,
    help: "release the server before clients that send null",
  });
};

/** Reports a change of all messages once, at the first value it affects. */
function reportFirst(
  { values }: PairedContracts,
  flow: Flow,
  words: {
    readonly shift: Shift;
    readonly what: string;
    readonly help: string;
  },
): readonly ChangeEffect[] {
  const first = values.find(
    (pair) =>
      pair.flow === flow && pair.before.canReadNull && pair.after.canReadNull,
  );
  if (first === undefined) return [];
  const { shift, what, help } = words;
  const { before, after } = first.subjects;
  return [
    {
      effects: effectsIn(flow, shift),
      message: `${what} in ${nounOf[flow]}, for example in ${nameOf(after)}`,
      before,
      after,
      path: first.path,
      help,
    },
  ];
}

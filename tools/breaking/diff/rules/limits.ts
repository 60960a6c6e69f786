import type { Constraints } from "../../../../generator/ir/contract.js";
import { codeOf } from "../../../../generator/diagnostics/names.js";
import type { Level, Side } from "../facts/change.js";
import {
  effectsIn,
  type Flow,
  levelOfViolation,
  nounOf,
  type Shift,
  sideOf,
} from "../facts/effects.js";
import {
  comparePatterns,
  findRefusedIntegers,
  findTightened,
  haveSameLimits,
  type LimitChange,
  printLimitChange,
} from "../facts/limits.js";
import { findRejection, type Rejection } from "../facts/sets.js";
import { nameOf } from "../facts/names.js";
import type { WirePair } from "../facts/paired-contracts.js";
import { swap } from "../facts/pairing.js";
import type { BreakingRule, BreakingRules } from "../facts/rule.js";
import type { WireValue } from "../facts/value.js";

/** Rules about limits such as `+ maxLength`. */
export const limitRules = {
  "constraint-request-no-tighten": limitRule(
    "request",
    "narrower",
    "keep the limit, or make sure that no client exceeds it",
  ),
  "constraint-request-no-loosen": limitRule(
    "request",
    "wider",
    "release the server before clients that rely on the new limit",
  ),
  "constraint-response-no-tighten": limitRule(
    "response",
    "narrower",
    "release the server before clients that rely on the limit",
  ),
  "constraint-response-no-loosen": limitRule(
    "response",
    "wider",
    "make sure that no client validates responses or relies on the limit",
  ),

  "constraint-pattern-changed": ({ values }) =>
    values.flatMap((pair) => {
      const { added, removed } = comparePatterns(pair);
      const [then, now] = [removed[0], added[0]];
      if (pair.flow === "receipt" || !then || !now) return [];
      const refused = findRejection(pair.before, patternsOf(pair.after));
      const allowed = findRejection(pair.after, patternsOf(pair.before));
      const example =
        refused.kind === "found"
          ? `, which rejects ${codeOf(JSON.stringify(refused.example))}`
          : "";
      return {
        effects: effectsIn(pair.flow, {
          narrower: levelOfRejection(refused, pair.flow),
          wider: levelOfRejection(allowed, pair.flow),
        }),
        message: `${nameOf(now.layer.subject)} had the pattern ${codeOf(then.pattern)} and now has ${codeOf(now.pattern)}${example}`,
        before: then.layer.subject,
        after: now.layer.subject,
        path: pair.path,
        limit: { pattern: now.pattern },
        help: "make sure that the new pattern still accepts every string that is sent",
      };
    }),
} satisfies BreakingRules;

function patternsOf({ layers }: WireValue): readonly Constraints[] {
  return layers.flatMap(({ constraints: { pattern } }) =>
    pattern === undefined ? [] : { pattern },
  );
}

function levelOfRejection({ kind }: Rejection, flow: Flow): Level | undefined {
  if (kind === "none") return undefined;
  return kind === "found" ? levelOfViolation(flow) : "danger";
}

/** Creates a rule about limits that became tighter or looser. */
function limitRule(side: Side, shift: keyof Shift, help: string): BreakingRule {
  const isNarrower = shift === "narrower";
  const find = isNarrower ? findTighter : findLooser;
  return ({ values }) =>
    values
      .filter((pair) => sideOf(pair.flow) === side && haveSameLimits(pair))
      .flatMap((pair) =>
        find(pair)
          .filter(
            // Nobody reads a receipt, but receivers write its listed values.
            ({ key }) =>
              pair.flow !== "receipt" || (key === "enum" && isNarrower),
          )
          .map((limit) => ({
            effects: effectsIn(
              pair.flow,
              {
                [shift]: limit.isCertain
                  ? levelOfViolation(pair.flow)
                  : "danger",
              },
              // Listed values are literals in code.
              limit.key === "enum"
                ? { [shift]: isNarrower ? "error" : "danger" }
                : {},
            ),
            message: `${nameOf(limit.subjects.after)} allows ${isNarrower ? "fewer" : "more"} values in ${nounOf[pair.flow]}: ${printLimitChange(limit)}`,
            ...limit.subjects,
            path: pair.path,
            ...(isNarrower && { limit: limit.now }),
            help,
          })),
      );
}

function findTighter(pair: WirePair<WireValue>): readonly LimitChange[] {
  // Only requests and webhooks can contain integers instead of strings.
  const isRead = pair.flow !== "response" && pair.after.form === "json";
  return [...findTightened(pair), ...(isRead ? findRefusedIntegers(pair) : [])];
}

function findLooser(pair: WirePair<WireValue>): readonly LimitChange[] {
  return findTighter({ ...pair, ...swap(pair) }).map((change) => ({
    ...change,
    ...swap(change),
    subjects: swap(change.subjects),
  }));
}

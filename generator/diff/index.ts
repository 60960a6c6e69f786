import type { Contract } from "../ir/contract.js";
import type { Change, Effects, Level } from "./facts/change.js";
import { audiences } from "./facts/change.js";
import { pairContracts } from "./facts/pair-contracts.js";
import { type CodeModes, defaultModes } from "./facts/modes.js";
import { breakingRules } from "./rules/index.js";

export type {
  Audience,
  Change,
  Effects,
  Level,
  Subject,
} from "./facts/change.js";
export type { CodeModes } from "./facts/modes.js";
export type { BreakingRule } from "./facts/rule.js";
export { audiences } from "./facts/change.js";
export { breakingRules } from "./rules/index.js";

/**
 * Finds what between two versions of a contract somebody may stumble over.
 * Input: both, and what generated code is like; as where nothing is configured
 * unless given.
 * Output: each change once, though a type is met in many places; rule by rule.
 */
export function findChanges(
  before: Contract,
  after: Contract,
  modes: CodeModes = defaultModes,
): readonly Change[] {
  const contracts = pairContracts(before, after, modes);
  const found = breakingRules.flatMap(({ code, find }) =>
    find(contracts).map((finding): Change => ({ code, ...finding })),
  );
  const byPlace = new Map<string, Change>();
  for (const change of found) {
    const { code, message } = change;
    const key = JSON.stringify([code, message, change.before, change.after]);
    const known = byPlace.get(key);
    const effects = worstOf(known?.effects ?? {}, change.effects);
    byPlace.set(key, { ...(known ?? change), effects });
  }
  return [...byPlace.values()];
}

const levels: readonly (Level | undefined)[] = [
  undefined,
  "note",
  "danger",
  "error",
];

/** What is met in requests and in responses does to each what is worse. */
function worstOf(one: Effects, other: Effects): Effects {
  const worst = audiences.map((audience) => {
    const [a, b] = [one[audience], other[audience]];
    return [audience, levels.indexOf(a) < levels.indexOf(b) ? b : a] as const;
  });
  return Object.fromEntries(worst.filter(([, level]) => level !== undefined));
}

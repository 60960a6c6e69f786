import type { Contract } from "../../../generator/ir/contract.js";
import {
  audiences,
  type Change,
  type Effects,
  type Level,
} from "./facts/change.js";
import { pairContracts } from "./facts/pair-contracts.js";
import type { PairedContracts } from "./facts/paired-contracts.js";
import { type CodeModes, defaultModes } from "./facts/value.js";
import { breakingRules } from "./rules/index.js";

export type {
  Audience,
  Change,
  Effects,
  Level,
  Subject,
} from "./facts/change.js";
export type { CodeModes } from "./facts/value.js";
export { audiences } from "./facts/change.js";
export { breakingRules } from "./rules/index.js";

/**
 * Compares two versions of a contract, and returns the changes that rules find.
 *
 * Input: both versions, and the settings that each one uses for generated code.
 * The settings of the old version default to those of the new version, and
 * those of the new version to the default settings.
 *
 * Returns each change once, even if many messages contain its type.
 */
export function findChanges(
  before: Contract,
  after: Contract,
  modes: CodeModes = defaultModes,
  modesBefore: CodeModes = modes,
): readonly Change[] {
  const contracts = pairContracts(before, after, {
    before: modesBefore,
    after: modes,
  });
  return findChangesIn(contracts, () => "");
}

/**
 * Finds the changes between paired contracts.
 *
 * Input: `placeOf` tells apart the places where the same change is returned.
 */
export function findChangesIn(
  contracts: PairedContracts,
  placeOf: (change: Change) => string,
): readonly Change[] {
  const found = Object.entries(breakingRules).flatMap(([code, find]) =>
    find(contracts).map((finding): Change => ({ code, ...finding })),
  );
  const byPlace = new Map<string, Change>();
  for (const change of found) {
    const { after, before, code, message } = change;
    const key = JSON.stringify([code, message, before, after, placeOf(change)]);
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

/** Returns the worse of two effects for each audience. */
function worstOf(one: Effects, other: Effects): Effects {
  const worst = audiences.map((audience) => {
    const [a, b] = [one[audience], other[audience]];
    return [audience, levels.indexOf(a) < levels.indexOf(b) ? b : a] as const;
  });
  return Object.fromEntries(worst.filter(([, level]) => level !== undefined));
}

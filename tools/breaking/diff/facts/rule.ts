import type { BreakingCode } from "../../../../generator/diagnostics/catalog.js";
import type { ChangeEffect, Subject } from "./change.js";
import type { PairedContracts } from "./paired-contracts.js";
import type { Pair } from "./pairing.js";

/** Finds one kind of change. It must be a pure function. */
export type BreakingRule = (
  contracts: PairedContracts,
) => readonly ChangeEffect[];

/** The rules of one family, by code. */
export type BreakingRules = Readonly<
  Partial<Record<BreakingCode, BreakingRule>>
>;

/** Combines rules that find the same kind of change. */
export function allRules(...rules: readonly BreakingRule[]): BreakingRule {
  return (contracts) => rules.flatMap((find) => find(contracts));
}

/** A finding whose location is known, or false if there is no finding. */
export type KeptFinding = Omit<ChangeEffect, "before" | "after"> | false;

/** Creates rules about things that both contracts have. */
export function rulesAboutKept<Thing>(
  listKept: (contracts: PairedContracts) => readonly Pair<Thing>[],
  subjectOf: (thing: Thing) => Subject,
): (
  compare: (pair: Pair<Thing>, contracts: PairedContracts) => KeptFinding,
) => BreakingRule {
  return (compare) => (contracts) =>
    listKept(contracts).flatMap((pair) => {
      const finding = compare(pair, contracts);
      const before = subjectOf(pair.before);
      return finding
        ? [{ ...finding, before, after: subjectOf(pair.after) }]
        : [];
    });
}

/** Creates rules about methods that both contracts have. */
export const keptMethod = rulesAboutKept(
  ({ methods }) => methods.kept,
  ({ subject }) => subject,
);

import type { CheckedContract } from "../../generator/2-check/index.js";
import { lowerContract } from "../../generator/3-lower/index.js";
import {
  compareDiagnostics,
  type Diagnostic,
} from "../../generator/diagnostics/diagnostic.js";
import {
  type Change,
  type CodeModes,
  findChanges,
  type Subject,
} from "./diff/index.js";
import {
  readSuppressions,
  silence,
} from "../../generator/lint/facts/suppressions.js";
import { wordsOf } from "./diff/facts/names.js";
import { locateSubject } from "./locate.js";
import { type BreakingOptions, defaultBreakingOptions } from "./options.js";
import {
  describeEffects,
  type Effect,
  severityOf,
  worstEffect,
} from "./severity.js";
import type { Contract } from "../../generator/ir/contract.js";
import { findReachable } from "../../generator/values/reachable-types.js";
import { valuesOf } from "../../generator/values/value.js";

export type { BreakingOptions } from "./options.js";
export type { Effect } from "./severity.js";
export { defaultBreakingOptions } from "./options.js";

/** A diagnostic about a change, and who is affected. */
export interface BreakingFinding extends Diagnostic {
  /** The most severe effect. Absent if no one is affected. */
  readonly worst?: Effect;
  /** Whether the change concerns only webhooks, whose clients are receivers. */
  readonly isReceived: boolean;
}

/**
 * Reports the changes between two versions of a contract, and who is affected.
 *
 * Input: both versions, checked and without errors, and the settings for
 * generated code, as for {@link findChanges}. Returns sorted diagnostics in the
 * documents of `after`, with related locations in `before`, or only in `before`
 * if everything was removed. Findings that comments in `after` suppress are
 * excluded.
 */
export function reportChanges(
  before: CheckedContract,
  after: CheckedContract,
  options: BreakingOptions = defaultBreakingOptions,
  modes?: CodeModes,
  modesBefore?: CodeModes,
): readonly BreakingFinding[] {
  const then = lowerContract(before);
  const now = lowerContract(after);
  const isReceivedThen = findReceived(then);
  const isReceivedNow = findReceived(now);
  const changes = findChanges(then, now, modes, modesBefore);
  const removed = new Map<Diagnostic, string>();
  const found = changes.flatMap((change) => {
    const isReceived = change.after
      ? isReceivedNow(change.after)
      : change.before !== null && isReceivedThen(change.before);
    const worst = worstEffect(change.effects, options.isStrict);
    return toDiagnostic(change, before, after, options).map((each) => {
      const finding = { ...each, ...(worst && { worst }), isReceived };
      const name = nameOfRemoved(change);
      if (name !== null) removed.set(finding, name);
      return finding;
    });
  });
  const { suppressed } = silence(
    found,
    readSuppressions(after.documents),
    (reason, finding) => hasWord(reason, removed.get(finding)),
  );
  return found.filter((each) => !suppressed.has(each)).sort(compareDiagnostics);
}

/**
 * Returns the name of a removed part, or null if the change is none. It is reported
 * at what contained it, where a comment must not hide what is removed later.
 */
function nameOfRemoved({ after, before }: Change): string | null {
  if (after === null || before === null) return null;
  return depths[before.kind] > depths[after.kind]
    ? (wordsOf(before).split(".").at(-1) ?? null)
    : null;
}

/** How many declarations contain each kind. */
const depths: Readonly<Record<Subject["kind"], number>> = {
  ...{ host: 0, service: 1, method: 2, argument: 3 },
  ...{ type: 0, member: 1, error: 0 },
};

function hasWord(text: string, word: string | undefined): boolean {
  const words: readonly string[] = text.match(/[\w-]+/gu) ?? [];
  return word === undefined || words.includes(word);
}

function toDiagnostic(
  change: Change,
  before: CheckedContract,
  after: CheckedContract,
  options: BreakingOptions,
): readonly Diagnostic[] {
  const severity = severityOf(change, options);
  if (severity === "off") return [];
  const { code, message, path, help } = change;
  const now = change.after && locateSubject(change.after, after);
  const then = change.before && locateSubject(change.before, before);
  const location = now ?? then;
  const related = now && then ? [{ location: then, label: "before" }] : [];
  const effects = describeEffects(change.effects);
  const notes = path === undefined ? effects : [...effects, `found in ${path}`];
  return [
    {
      code,
      severity,
      message,
      ...(location && { location }),
      ...(related.length > 0 && { related }),
      ...(notes.length > 0 && { notes }),
      ...(help !== undefined && { help }),
    },
  ];
}

/** Returns a function that checks whether only webhooks use something. */
function findReceived(contract: Contract): (subject: Subject) => boolean {
  const values = valuesOf(contract);
  const services = contract.hosts.flatMap((host) => host.services);
  const isOutbound = (name: string): boolean =>
    services.some(
      (each) => each.name === name && each.direction === "outbound",
    );
  const reach = (
    direction: "inbound" | "outbound",
    others?: readonly string[],
  ): ReadonlySet<string> =>
    findReachable(
      services.filter((each) => each.direction === direction),
      values,
      others,
    );
  const received = reach("outbound");
  const data = [
    ...contract.errors.flatMap((error) => error.data ?? []),
    ...contract.hosts.flatMap(({ errorBody }) => errorBody?.struct ?? []),
  ];
  const called = reach("inbound", data);
  const isReceivedType = (name: string): boolean =>
    received.has(name) && !called.has(name);
  return (subject) => {
    switch (subject.kind) {
      case "host":
      case "error":
        return false;
      case "service":
      case "method":
        return isOutbound(subject.service);
      case "argument":
        return isOutbound(subject.method.service);
      case "type":
        return isReceivedType(subject.name);
      case "member":
        return isReceivedType(subject.type);
    }
  };
}

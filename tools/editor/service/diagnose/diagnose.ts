import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import {
  compareDiagnostics,
  type Diagnostic,
} from "../../../../generator/diagnostics/diagnostic.js";
import { hasSameItems } from "../../../../generator/ir/has-same-items.js";
import { groupBy } from "../../../../generator/ir/group-by.js";
import { rememberEach } from "../../../../generator/ir/remember.js";
import {
  type LintOptions,
  settleFindings,
} from "../../../../generator/lint/index.js";
import { readSuppressions } from "../../../../generator/lint/facts/suppressions.js";
import type {
  DocumentDiagnostics,
  PlacedDiagnostic,
} from "../model/results.js";
import type { ProgramPart, Workspace } from "../workspace/workspace.js";
import { createCheckPart, type PartFindings } from "./check-part.js";
import { placeDiagnostic } from "./place-diagnostic.js";
import type { Location } from "../../../../generator/source/source.js";

/**
 * Returns the diagnostics of a part by path, with an entry for every document.
 */
export type DiagnosePart = (
  part: ProgramPart,
  lint: LintOptions,
) => ReadonlyMap<string, readonly PlacedDiagnostic[]>;

/** Creates a {@link DiagnosePart} that caches its results. */
export function createDiagnosePart(): DiagnosePart {
  const check = createCheckPart();
  const settle = createSettler();
  const answers = rememberEach((part: ProgramPart) =>
    rememberEach((lint: LintOptions) => {
      const { faults, advice, isComplete } = check(part, lint);
      const faultsAt = groupByPath(faults);
      const adviceAt = groupByPath(advice);
      const answer = new Map<string, readonly PlacedDiagnostic[]>();
      for (const document of part.program.documents) {
        const { path } = document;
        const found = {
          document,
          faults: faultsAt.get(path) ?? [],
          advice: adviceAt.get(path) ?? [],
          // This affects only comments that suppress findings.
          isComplete: isComplete || readSuppressions([document]).length === 0,
          lint,
        };
        answer.set(path, settle(found));
      }
      // Only diagnostics about missing entries have no location.
      const missing = part.diagnostics.filter(({ location }) => !location);
      for (const [index, path] of part.missing.entries()) {
        answer.set(path, missing.slice(index, index + 1).map(placeDiagnostic));
      }
      return answer;
    }),
  );
  return (part, lint) => answers(part)(lint);
}

/** Findings in lists, which are the same objects until a finding changes. */
type Lists = PartFindings["faults"];

/** Groups the findings of each list by path, without joining the lists. */
function groupByPath(lists: Lists): ReadonlyMap<string | undefined, Lists> {
  const groups = new Map<string | undefined, (readonly Diagnostic[])[]>();
  for (const list of lists) {
    for (const [path, found] of splitByPath(list)) {
      const known = groups.get(path);
      if (known === undefined) groups.set(path, [found]);
      else known.push(found);
    }
  }
  return groups;
}

const splitByPath = rememberEach((list: readonly Diagnostic[]) =>
  groupBy(list, ({ location }) => location?.source.path),
);

/** The findings in one document, and what affects which of them are shown. */
interface DocumentFindings extends PartFindings {
  readonly document: LoadedDocument;
  readonly lint: LintOptions;
}

/**
 * Creates a function that returns the diagnostics of a document, sorted and
 * excluding suppressed ones. It returns the same list for the same findings.
 */
function createSettler(): (
  now: DocumentFindings,
) => readonly PlacedDiagnostic[] {
  const known = new Map<
    string,
    {
      readonly found: DocumentFindings;
      readonly placed: readonly PlacedDiagnostic[];
    }
  >();
  return (found) => {
    const { document, faults, advice, isComplete, lint } = found;
    const before = known.get(document.path);
    if (before && isSame(before.found, found)) return before.placed;
    const findings = {
      documents: [document],
      diagnostics: faults.flat(),
      advice: dropRepeated(advice.flat()),
      isComplete,
    };
    const placed = settleFindings(findings, lint)
      .sort(compareDiagnostics)
      .map(placeDiagnostic);
    known.set(document.path, { found, placed });
    return placed;
  };
}

function isSame(before: DocumentFindings, now: DocumentFindings): boolean {
  return (
    before.document === now.document &&
    before.isComplete === now.isComplete &&
    before.lint === now.lint &&
    hasSameItems(before.faults, now.faults) &&
    hasSameItems(before.advice, now.advice)
  );
}

/** Returns the diagnostics of every document of a workspace. */
export function diagnoseWorkspace(
  { parts }: Workspace,
  diagnose: (part: ProgramPart) => ReturnType<DiagnosePart>,
): readonly DocumentDiagnostics[] {
  const documents = new Map<string, readonly PlacedDiagnostic[]>();
  for (const part of parts) {
    for (const [path, diagnostics] of diagnose(part)) {
      if (!documents.has(path)) documents.set(path, diagnostics);
    }
  }
  return [...documents].map(([path, diagnostics]) => ({ path, diagnostics }));
}

/**
 * Keeps only the first of several findings with the same code and locations.
 * Findings are repeated if several documents or declarations lead to the same
 * place.
 */
function dropRepeated(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return found.filter((diagnostic) => {
    const key = keyOf(diagnostic);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** A cycle has the same key regardless of where it is entered. */
const keyOf = rememberEach(({ code, location, related = [] }: Diagnostic) => {
  const places = related.map((each) => textOf(each.location));
  if (location) places.push(textOf(location));
  return `${code} ${places.sort().join(" ")}`;
});

function textOf({ source, span }: Location): string {
  return `${source.path}:${span.start}-${span.end}`;
}

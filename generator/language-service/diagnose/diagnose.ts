import { compareDiagnostics } from "../../diagnostics/compare.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { rememberEach } from "../../ir/remember.js";
import type { LintOptions } from "../../lint/index.js";
import type {
  DocumentDiagnostics,
  PlacedDiagnostic,
} from "../model/results.js";
import type { ProgramPart, Workspace } from "../workspace/workspace.js";
import { createCheckPart } from "./check-part.js";
import { placeDiagnostic } from "./place-diagnostic.js";

/**
 * Returns the diagnostics of a part by path, with an entry for every document.
 */
export type DiagnosePart = (
  part: ProgramPart,
  lint: LintOptions,
) => ReadonlyMap<string, readonly PlacedDiagnostic[]>;

/** Creates a function that caches its results. */
export function createDiagnosePart(): DiagnosePart {
  const check = createCheckPart();
  const arrange = createArranger();
  const answers = rememberEach((part: ProgramPart) =>
    rememberEach((lint: LintOptions) => {
      const byPath = new Map<string, Diagnostic[]>();
      for (const { path } of part.program.documents) byPath.set(path, []);
      for (const path of part.missing) byPath.set(path, []);
      const missing = part.missing.values();
      for (const each of check(part, lint)) {
        const path = each.location?.source.path ?? missing.next().value;
        if (path !== undefined) byPath.get(path)?.push(each);
      }
      return new Map(
        [...byPath].map(([path, found]) => [path, arrange(path, found)]),
      );
    }),
  );
  return (part, lint) => answers(part)(lint);
}

/**
 * Creates a function that sorts and places the diagnostics of a document. It
 * returns the same list if they are the same as the last time.
 */
function createArranger(): (
  path: string,
  found: readonly Diagnostic[],
) => readonly PlacedDiagnostic[] {
  const known = new Map<
    string,
    {
      readonly found: readonly Diagnostic[];
      readonly placed: readonly PlacedDiagnostic[];
    }
  >();
  return (path, found) => {
    const before = known.get(path);
    const isSame =
      before?.found.length === found.length &&
      before.found.every((each, index) => each === found[index]);
    if (isSame) return before.placed;
    const placed = found.toSorted(compareDiagnostics).map(placeDiagnostic);
    known.set(path, { found, placed });
    return placed;
  };
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

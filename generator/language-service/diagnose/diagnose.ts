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
  const answers = rememberEach((part: ProgramPart) =>
    rememberEach((lint: LintOptions) => {
      const byPath = new Map<string, PlacedDiagnostic[]>();
      for (const { path } of part.program.documents) byPath.set(path, []);
      for (const path of part.missing) byPath.set(path, []);
      const missing = part.missing.values();
      for (const each of check(part, lint)) {
        const path = each.location?.source.path ?? missing.next().value;
        if (path !== undefined) byPath.get(path)?.push(placeDiagnostic(each));
      }
      return byPath;
    }),
  );
  return (part, lint) => answers(part)(lint);
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

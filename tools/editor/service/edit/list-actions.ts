import { isFormPath } from "../../../../generator/1-parse/form-path.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import { isLintCode } from "../../../../generator/diagnostics/catalog.js";
import type { Span } from "../../../../generator/source/source.js";
import { findImportable } from "../complete/find-importable.js";
import type { CodeAction, PlacedDiagnostic } from "../model/results.js";
import type { Workspace } from "../workspace/workspace.js";
import { declareError, declareTypes } from "./declare-missing.js";
import { deprecate } from "./deprecate.js";
import { insertAbove } from "../model/document-edits.js";
import { extractAlias } from "./extract-alias.js";
import { innermostMember } from "./innermost-member.js";
import { organizeImports } from "./organize-imports.js";

/** What is wrong with a document, and what is known about it. */
interface Findings {
  readonly diagnostics: readonly PlacedDiagnostic[];
  /** Whether everything that may use its imports is known. */
  readonly knowsUses: boolean;
}

/** Lists the code actions for a span of a document. */
export function listActions(
  workspace: Workspace,
  program: Program,
  document: LoadedDocument,
  span: Span,
  { diagnostics, knowsUses }: Findings,
): readonly CodeAction[] {
  const here = diagnostics.filter(
    (each) => each.span.start <= span.end && each.span.end >= span.start,
  );
  const fixes = here.flatMap(fixOf);
  // The other actions insert RIDL.
  if (isFormPath(document.path)) return fixes;
  const imports = organizeImports(program, document, knowsUses);
  return [
    ...fixes,
    ...here.flatMap((each) => repair(workspace, program, document, each)),
    ...here.flatMap((each) => silence(document, each)),
    ...extractAlias(program, document, span),
    ...deprecate(document, span),
    ...(imports.length > 0
      ? [
          {
            title: "organize imports",
            kind: "organize-imports" as const,
            edits: imports,
            isPreferred: false,
          },
        ]
      : []),
  ];
}

function fixOf({ code, fix, help }: PlacedDiagnostic): readonly CodeAction[] {
  if (fix === undefined) return [];
  const { replacement } = fix.edit;
  const edit = replacement === "" ? "remove it" : `write \`${replacement}\``;
  // "did you mean …?" is not an action.
  const title = help === undefined || help.endsWith("?") ? edit : help;
  const isPreferred = !fix.changesContract;
  return [{ title, kind: "fix", code, edits: [fix.edit], isPreferred }];
}

/** Lists the actions that declare or import a missing name. */
function repair(
  workspace: Workspace,
  program: Program,
  document: LoadedDocument,
  { code, span }: PlacedDiagnostic,
): readonly CodeAction[] {
  const isType = code === "unknown-type";
  if (!isType && code !== "unknown-error") return [];
  const name = document.syntax.source.text.slice(span.start, span.end);
  const surroundings = { workspace, program };
  const isMissing = (each: string): boolean => each === name;
  const found = isType
    ? findImportable(document, surroundings, "types", isMissing)
    : findImportable(document, surroundings, "errors", isMissing);
  const imports = found
    .filter(({ edits }) => edits.length > 0)
    .map(({ edits, symbol }): CodeAction => ({
      title: `import \`${name}\` from \`${symbol.document.path}\``,
      kind: "fix",
      code,
      edits,
      isPreferred: true,
    }));
  const declared = isType
    ? declareTypes(document, name, span.start)
    : declareError(program, document, name, span.start);
  return [...imports, ...declared.map((each) => ({ ...each, code }))];
}

/** Offers to insert a comment that silences a lint finding. */
function silence(
  document: LoadedDocument,
  { code, span }: PlacedDiagnostic,
): readonly CodeAction[] {
  const member = innermostMember(document, span.start);
  if (!isLintCode(code) || member === null) return [];
  const comment = `#! ridl-ignore ${code} because …`;
  return [
    {
      title: `silence \`${code}\` with a reason`,
      kind: "fix",
      code,
      edits: [insertAbove(document, member.span.start, [comment])],
      isPreferred: false,
    },
  ];
}

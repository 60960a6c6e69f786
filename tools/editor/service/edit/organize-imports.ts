import type { Import } from "../../../../generator/1-parse/ast.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import { toDiagnostic } from "../../../../generator/2-check/report/finding.js";
import { compareText } from "../../../../generator/diagnostics/diagnostic.js";
import {
  readSuppressions,
  silence,
} from "../../../../generator/lint/facts/suppressions.js";
import { usageRules } from "../../../../generator/lint/rules/usage.js";
import type { DocumentEdit } from "../model/results.js";
import { startOfItem } from "./declare-missing.js";
import { replaceChanged } from "../model/document-edits.js";

/**
 * Sorts the imports of a document and removes unused imports, except for those
 * whose finding a comment suppresses. If comments or other items are among the
 * imports or directly above them, nothing changes. `knowsUses` is whether the
 * program contains everything that may use the imports. Otherwise, removes
 * nothing.
 */
export function organizeImports(
  program: Program,
  document: LoadedDocument,
  knowsUses: boolean,
): readonly DocumentEdit[] {
  const { comments, items, source } = document.syntax;
  const imports = items.filter((item) => item.kind === "import");
  const [first] = imports;
  const last = imports.at(-1);
  if (document.isBroken || first === undefined || last === undefined) return [];
  const { start } = first.span;
  const { end } = last.span;
  const lineEnd = source.text.indexOf("\n", end);
  const above = startOfItem(document, start);
  const isWithin = ({ span }: Pick<Import, "span">): boolean =>
    span.start >= above &&
    span.start <= (lineEnd === -1 ? source.text.length : lineEnd);
  const hasOthers = items.some(
    (item) => item.kind !== "import" && isWithin(item),
  );
  if (hasOthers || comments.some(isWithin)) return [];
  const unused = knowsUses ? findUnused(program, document) : new Set<number>();
  const lines = imports
    .filter(({ path }) => !unused.has(path.span.start))
    .toSorted((a, b) => compareText(a.path.text, b.path.text))
    .flatMap((each) => {
      const members = each.members.filter(
        ({ span }) => !unused.has(span.start),
      );
      // Without members, the import would import everything.
      if (members.length === 0 && each.members.length > 0) return [];
      const names = members.map(({ text }) => text).sort();
      const { path } = each;
      const written = source.text.slice(path.span.start, path.span.end);
      return [`import ${written}`, ...names.map((name) => `  - ${name}`)];
    });
  return replaceChanged(document, start, end, lines.join("\n"));
}

/** Returns the offsets of paths and names that the document does not use. */
function findUnused(
  program: Program,
  document: LoadedDocument,
): ReadonlySet<number> {
  const code = "import-used";
  const found = usageRules[code](program)
    .filter((finding) => finding.document === document)
    .map((finding) => toDiagnostic(code, "warning", finding));
  const { suppressed } = silence(found, readSuppressions([document]));
  return new Set(
    found
      .filter((each) => !suppressed.has(each))
      .flatMap(({ location }) => location?.span.start ?? []),
  );
}

import type { Import } from "../../../../generator/1-parse/ast.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import { compareText } from "../../../../generator/diagnostics/diagnostic.js";
import { usageRules } from "../../../../generator/lint/rules/usage.js";
import type { DocumentEdit } from "../model/results.js";
import { replaceChanged } from "../model/document-edits.js";

/**
 * Sorts the imports of a document and removes unused imports. If comments or
 * other items are among the imports, nothing changes. If the program has
 * errors, removes nothing, because a missing declaration may be the one that is
 * used.
 */
export function organizeImports(
  program: Program,
  document: LoadedDocument,
  hasErrors: boolean,
): readonly DocumentEdit[] {
  const { comments, items, source } = document.syntax;
  const imports = items.filter((item) => item.kind === "import");
  const [first] = imports;
  const last = imports.at(-1);
  if (document.isBroken || first === undefined || last === undefined) return [];
  const { start } = first.span;
  const { end } = last.span;
  const lineEnd = source.text.indexOf("\n", end);
  const isWithin = ({ span }: Pick<Import, "span">): boolean =>
    span.start >= start &&
    span.start <= (lineEnd === -1 ? source.text.length : lineEnd);
  const hasOthers = items.some(
    (item) => item.kind !== "import" && isWithin(item),
  );
  if (hasOthers || comments.some(isWithin)) return [];
  const unused = hasErrors ? new Set<number>() : findUnused(program, document);
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
  const findings = usageRules["import-used"](program);
  return new Set(
    findings
      .filter((finding) => finding.document === document)
      .map(({ at }) => at.span.start),
  );
}

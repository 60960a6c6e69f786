import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import { lineStartAt } from "../../../../generator/source/line-index.js";
import type { CodeAction } from "../model/results.js";
import { isValidName } from "../names/is-valid-name.js";
import { insertBehind, replaceText } from "../model/document-edits.js";

/**
 * Offers to declare a struct or an alias above the declaration that uses it.
 */
export function declareTypes(
  document: LoadedDocument,
  name: string,
  offset: number,
): readonly CodeAction[] {
  if (!isValidName("struct", name)) return [];
  const at = startOfItem(document, offset);
  return [
    [`declare struct \`${name}\``, `struct ${name}\n\n`],
    [`declare alias \`${name}\``, `type ${name}: string\n\n`],
  ].map(([title = "", text = ""]) => ({
    title,
    kind: "fix",
    edits: [replaceText(document, at, at, text)],
    isPreferred: false,
  }));
}

/**
 * Offers to declare an error below the document's other errors or, if there are
 * none, above the declaration that uses it.
 */
export function declareError(
  { nodes }: Program,
  document: LoadedDocument,
  name: string,
  offset: number,
): readonly CodeAction[] {
  if (!isValidName("error", name)) return [];
  const codes = nodes.errors.map(({ syntax }) => Number(syntax.code.text));
  const code = Math.max(1000, ...codes.filter(Number.isSafeInteger)) + 1;
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  const line = `error ${code} ${name} "${text}" HTTP 400`;
  const last = document.syntax.items.findLast(({ kind }) => kind === "error");
  const above = startOfItem(document, offset);
  const edit = last
    ? insertBehind(document, last.span.end, `\n${line}`)
    : replaceText(document, above, above, `${line}\n\n`);
  return [
    {
      title: `declare error \`${name}\``,
      kind: "fix",
      edits: [edit],
      isPreferred: false,
    },
  ];
}

/**
 * Returns the start of a declaration, including its comment and annotations.
 */
export function startOfItem(
  { syntax }: LoadedDocument,
  offset: number,
): number {
  const { text } = syntax.source;
  const item = syntax.items.findLast(({ span }) => span.start <= offset);
  const own = item?.span.start ?? offset;
  let start = lineStartAt(text, own);
  while (start > 0) {
    const above = lineStartAt(text, start - 1);
    if (!/^\s*[#@]/.test(text.slice(above, start))) break;
    start = above;
  }
  return start;
}

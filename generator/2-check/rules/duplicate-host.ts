import { findDuplicates } from "../report/duplicates.js";
import type { CheckedHost } from "../program/program.js";
import { locate, relate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Hosts get a folder each, so their names differ in letters and digits. */
export const duplicateHost: Rule = ({ hosts }) =>
  findDuplicates(hosts, keyOf).map(({ first, again }) =>
    reportError(
      "duplicate-host",
      locate(again.document, placeOf(again)),
      `two hosts have the name \`${again.name}\``,
      {
        related: [relate(first.document, placeOf(first), "the other one")],
        help: "give each document a `name` that differs in letters or digits",
      },
    ),
  );

function keyOf({ name }: CheckedHost): string {
  const letters = name.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}]/gu, "");
  return letters.toLowerCase() || name;
}

/** The `name` header, else the start of the document. */
function placeOf({ document }: CheckedHost): {
  readonly span: { readonly start: number; readonly end: number };
} {
  const header = document.syntax.items.find(
    (item) => item.kind === "header" && item.key.text === "name",
  );
  if (header?.kind === "header") return header.value;
  return { span: { start: 0, end: 0 } };
}

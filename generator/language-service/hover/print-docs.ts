import type { Documented } from "../../1-parse/ast.js";
import {
  deprecationOf,
  type MayBeDeprecated,
} from "../../2-check/notation/deprecation.js";
import { lowerDocs } from "../../3-lower/docs.js";
import { withoutInvisible } from "../../4-emit/emitter/invisible.js";

/** Prints the doc comment of a declaration, and whether it is deprecated. */
export function printDocs(syntax: Documented & MayBeDeprecated): string {
  const reason = deprecationOf(syntax);
  const text = reason ? `**Deprecated**: ${reason}` : "**Deprecated**";
  const warning = reason === null ? [] : [text, ""];
  const { lines } = lowerDocs(syntax.docs);
  return [...warning, ...lines.map(visibleLine)].join("\n").trim();
}

/** Character references could also stand for invisible characters. */
function visibleLine(line: string): string {
  return withoutInvisible(line).replace(/&(?=#?\w+;)/gu, "\\&");
}

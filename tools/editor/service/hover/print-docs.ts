import type { Documented } from "../../../../generator/1-parse/ast.js";
import {
  deprecationOf,
  type MayBeDeprecated,
} from "../../../../generator/2-check/notation/deprecation.js";
import { lowerDocs } from "../../../../generator/3-lower/docs.js";
import { withoutInvisible } from "../../../../generator/4-emit/emitter/invisible.js";

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

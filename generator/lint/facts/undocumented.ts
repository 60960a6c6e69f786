import type { DocLines, Word } from "../../1-parse/ast.js";
import type { Declared } from "../../2-check/program/program.js";
import { locate } from "../../2-check/report/report.js";
import type { Finding } from "./finding.js";

/** What can have docs. */
interface Documented {
  readonly name: Word;
  readonly docs: DocLines;
}

/**
 * Finds what has no docs; lines about origins are none.
 * Input: what the nodes are called, e.g. `field`.
 */
export function findUndocumented(
  what: string,
  nodes: readonly Declared<Documented>[],
): readonly Finding[] {
  return nodes
    .filter(({ syntax }) => !syntax.docs.some(isText))
    .map(({ syntax: { name }, document }) => ({
      location: locate(document, name),
      message: `${what} \`${name.text}\` has no comment`,
      help: "say in a line above it what it is",
    }));
}

function isText(line: string): boolean {
  return line.trim() !== "" && !line.trim().startsWith("origin:");
}

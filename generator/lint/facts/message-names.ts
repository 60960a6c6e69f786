import type { Program } from "../../2-check/program/program.js";
import { locate } from "../../2-check/report/report.js";
import { toPascalCase } from "./casing.js";
import type { Finding } from "./finding.js";

/**
 * Finds succinct messages that are not called after their method.
 * Input: which side of a method, and how its name ends, e.g. `Request`.
 */
export function findMisnamed(
  { nodes }: Program,
  side: "input" | "output",
  ending: string,
): readonly Finding[] {
  return nodes.methods.flatMap(({ syntax, owner, document }) => {
    const { succinct } = syntax[side];
    if (succinct === undefined) return [];
    const plain = syntax.name.text + ending;
    const long = toPascalCase(owner.name.text) + plain;
    if (succinct.text === plain || succinct.text === long) return [];
    return {
      location: locate(document, succinct),
      message: `the ${ending.toLowerCase()} of \`${syntax.name.text}\` is called \`${succinct.text}\``,
      help: `call it \`${plain}\``,
    };
  });
}

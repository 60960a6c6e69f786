import { locate } from "../../2-check/report/report.js";
import { isPascalCase, toPascalCase } from "../facts/casing.js";
import type { LintRule } from "./rule.js";

/** Methods are named `LikeThis`. */
export const methodPascalCase: LintRule = {
  code: "method-pascal-case",
  category: "standard",
  find: ({ nodes }) =>
    nodes.methods
      .filter(
        ({ syntax }) => !syntax.isProxy && !isPascalCase(syntax.name.text),
      )
      .map(({ syntax: { name }, document }) => ({
        location: locate(document, name),
        message: `method \`${name.text}\` is not in PascalCase`,
        help: `call it \`${toPascalCase(name.text)}\`; this changes its URL`,
      })),
};

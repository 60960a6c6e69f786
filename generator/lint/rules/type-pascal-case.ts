import { locate } from "../../2-check/report/report.js";
import { isPascalCase, toPascalCase } from "../facts/casing.js";
import type { LintRule } from "./rule.js";

/** Structs, enums and aliases are named `LikeThis`. */
export const typePascalCase: LintRule = {
  code: "type-pascal-case",
  category: "standard",
  find: ({ nodes: { aliases, enums, structs } }) =>
    [...aliases, ...enums, ...structs]
      .filter(({ syntax }) => !isPascalCase(syntax.name.text))
      .map(({ syntax: { name }, document }) => ({
        location: locate(document, name),
        message: `type \`${name.text}\` is not in PascalCase`,
        help: `call it \`${toPascalCase(name.text)}\``,
      })),
};

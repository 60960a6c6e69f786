import { isIntegerName } from "../../ir/scalars.js";
import { locate, reportError } from "../report/report.js";
import { resolveType, type ResolvedType } from "../program/resolve-type.js";
import type { Rule } from "./rule.js";

/** Keys of a map are strings, integers or enums. */
export const invalidMapKey: Rule = (program) =>
  program.nodes.typeExpressions.flatMap(({ syntax, document }) => {
    if (syntax.kind !== "map") return [];
    const key = resolveType(program, document, syntax.key);
    if (key === null || isKey(key)) return [];
    return reportError(
      "invalid-map-key",
      locate(document, syntax.key),
      `${describe(key)} cannot be the key of a map`,
      {
        notes: [
          "keys are `string`, an integer type such as `uint32`, or an enum",
        ],
      },
    );
  });

function isKey(key: ResolvedType): boolean {
  if (key.kind === "scalar") {
    // A byte is no key for webrpc either.
    return (
      key.name === "string" || (isIntegerName(key.name) && key.name !== "byte")
    );
  }
  return key.kind === "enum";
}

function describe(key: ResolvedType): string {
  switch (key.kind) {
    case "scalar":
      return `\`${key.name}\``;
    case "enum":
    case "struct":
      return `${key.kind} \`${key.declared.syntax.name.text}\``;
    case "list":
    case "map":
      return `a ${key.kind}`;
  }
}

import { scalars } from "../../ir/scalars.js";
import { metadataKeys, type Limits } from "../notation/notation.js";
import { locate, reportError } from "../report/report.js";
import { resolveType, type ResolvedType } from "../program/resolve-type.js";
import type { Rule } from "./rule.js";

const SUBJECTS: Readonly<Record<Limits, string>> = {
  number: "numbers",
  text: "strings",
  list: "lists",
  map: "maps",
};

/** A limit fits the type that it limits. */
export const misplacedConstraint: Rule = (program) =>
  program.nodes.metadata.flatMap(({ syntax: { key }, document, owner }) => {
    const limits = metadataKeys.get(key.text)?.limits ?? null;
    if (limits === null) return [];
    const type = resolveType(program, document, owner.type);
    if (type === null || limitsOf(type) === limits) return [];
    return reportError(
      "misplaced-constraint",
      locate(document, key),
      `\`${key.text}\` limits ${SUBJECTS[limits]}, and \`${owner.name.text}\` is ${describe(type)}`,
    );
  });

function limitsOf(type: ResolvedType): Limits | null {
  switch (type.kind) {
    case "scalar":
      return scalars[type.name].limits;
    case "list":
    case "map":
      return type.kind;
    case "enum":
    case "struct":
      return null;
  }
}

function describe(type: ResolvedType): string {
  switch (type.kind) {
    case "scalar":
      return `of type \`${type.name}\``;
    case "enum":
      return "an enum";
    case "list":
    case "map":
    case "struct":
      return `a ${type.kind}`;
  }
}

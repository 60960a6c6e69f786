import type { TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { readConstraints } from "../../2-check/program/constraints.js";
import type { Program } from "../../2-check/program/program.js";
import { resolveType } from "../../2-check/program/resolve-type.js";
import { inNodes } from "../../2-check/report/finding.js";
import { codeOf } from "../../diagnostics/names.js";
import type { Constraints } from "../../ir/contract.js";
import { countValues } from "../../values/count-values.js";
import { hasLimits, mergeConstraints } from "../../values/limits.js";
import { limitsAlong } from "../facts/limits-along.js";
import type { LintRules } from "./rule.js";

/** Rules about limits such as `+ maxLength`. */
export const limitRules = {
  "value-impossible": inNodes(["aliases", "fields"], (node, program) => {
    const { syntax, document } = node;
    const own = readConstraints(program, document, syntax);
    if (!hasLimits(own)) return false;
    const { type } = syntax;
    // Limits of an alias are reported there.
    if (findProblem(program, document, type, {}) !== null) return false;
    const problem = findProblem(program, document, type, own);
    const name = codeOf(syntax.name.text);
    return (
      problem !== null && {
        at: syntax.name,
        message: `no value of ${name} is valid: ${problem}`,
        help: `change the limits of ${name} or of its type`,
      }
    );
  }),
} satisfies LintRules;

/** Number of aliases whose limits are combined, so that long chains cost little. */
const maxAliases = 16;

/** Explains why no value is valid. Returns null if some value may be valid. */
function findProblem(
  program: Program,
  document: LoadedDocument,
  written: TypeExpression,
  own: Constraints,
): string | null {
  const type = resolveType(program, document, written);
  const along = [own, ...limitsAlong(program, document, written, maxAliases)];
  const limits = along.reduce(mergeConstraints);
  switch (type?.kind) {
    case "scalar":
      return countValues(type.name, along) === 0
        ? `all limits together exclude every \`${type.name}\``
        : null;
    case "list": {
      const { maxItems = Infinity, minItems = 0, uniqueItems } = limits;
      if (minItems > maxItems)
        return describeCounts("items", minItems, maxItems);
      const distinct = countDistinct(program, type.document, type.element);
      return uniqueItems === true && minItems > distinct
        ? `it needs ${minItems} different items, but only ${distinct} exist`
        : null;
    }
    case "map": {
      const { maxProperties = Infinity, minProperties = 0 } = limits;
      return minProperties > maxProperties
        ? describeCounts("entries", minProperties, maxProperties)
        : null;
    }
    case "enum":
      return limits.enum?.length === 0
        ? "all limits together exclude every member"
        : null;
    case "struct":
    case "union":
    case undefined:
      return null;
  }
}

function describeCounts(what: string, least: number, most: number): string {
  return `it needs at least ${least} ${what}, but can only have ${most}`;
}

/** Returns how many values of a type differ, or `Infinity`. */
function countDistinct(
  program: Program,
  document: LoadedDocument,
  written: TypeExpression,
): number {
  const type = resolveType(program, document, written);
  switch (type?.kind) {
    case "scalar":
      return countValues(
        type.name,
        limitsAlong(program, document, written, maxAliases),
      );
    case "enum": {
      const { syntax } = type.declared;
      const along = limitsAlong(program, document, written, maxAliases);
      const { enum: listed } = along.reduce(mergeConstraints, {});
      if (listed !== undefined) return listed.length;
      return syntax.kind === "enum" ? syntax.members.length : Infinity;
    }
    case "list":
    case "map":
    case "struct":
    case "union":
    case undefined:
      return Infinity;
  }
}

import type { EnumPlan } from "../plan/plan.js";
import { buildFunction } from "../text/build.js";
import { group, typeText } from "../text/format.js";
import { quoteString } from "../text/quote.js";
import { afterOperator, arrayOf, returnOf } from "../text/shapes.js";
import type { Structure } from "../text/structures.js";
import { declaredType } from "../plan/type-text.js";
import { hoist, type ValidatorContext } from "./context.js";

/** Larger enums use a set instead of comparisons. */
const maxCompared = 8;

/** Builds `isX` for an enum. */
export function enumPredicate(
  context: ValidatorContext,
  plan: EnumPlan,
): Structure {
  const { declaration } = plan;
  const type = declaredType(context.imports, plan);
  const values = declaration.members.map(({ jsonValue }) =>
    quoteString(jsonValue),
  );
  const distinct = [...new Set(values)];
  const test =
    distinct.length > maxCompared
      ? `${valueSet(context, type, distinct)}.has(value)`
      : distinct.map((value) => group(afterOperator("value ===", value)));
  const body = Array.isArray(test)
    ? returnOf("||", test.length > 0 ? test : ["false"])
    : `return ${test};`;
  const isEmpty = values.length === 0;
  return buildFunction(
    [`Whether \`value\` is a valid \`${type}\`.`],
    `is${type}`,
    [{ name: isEmpty ? "_value" : "value", type: "unknown" }],
    isEmpty ? "boolean" : `value is ${type}`,
    [body],
  );
}

function valueSet(
  context: ValidatorContext,
  type: string,
  values: readonly string[],
): string {
  const name = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}Values`;
  return hoist(context, context.constants, name, [
    "new Set",
    typeText("<unknown>"),
    "(",
    arrayOf(values),
    ")",
  ]);
}

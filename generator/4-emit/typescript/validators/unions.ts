import { jsonKindOf } from "../../../ir/variant-shape.js";
import {
  branchesOf,
  jsonTests,
  quoteLiteral,
  tagOf,
} from "../plan/branches.js";
import type { UnionPlan } from "../plan/plan.js";
import type { Doc } from "../text/format.js";
import { quoteString } from "../text/quote.js";
import { arrayOf, callOf, ifOf, operandsOf } from "../text/shapes.js";
import type { Structure } from "../text/structures.js";
import { checkNameOf } from "./containers.js";
import { buildCheck, type ValidatorContext } from "./context.js";
import { itemValue, predicateOf } from "./predicates.js";

/** Builds `checkX(value, report)` for a union. */
export function unionCheck(
  context: ValidatorContext,
  plan: UnionPlan,
): Structure {
  const { imports } = context;
  const { name, union } = plan;
  const { tag } = union;
  return buildCheck(
    imports,
    name,
    tag === null ? untaggedBody(context, plan) : taggedBody(context, plan, tag),
  );
}

/** Builds the body that calls the check of the variant with the tag. */
function taggedBody(
  context: ValidatorContext,
  plan: UnionPlan,
  tag: string,
): readonly Doc[] {
  const { imports } = context;
  const isRecord = imports.runtime("validation", "isRecord");
  const found = tagOf(imports, tag);
  const tags = plan.variants.flatMap((variant) => variant.tags);
  const fail: Doc = [
    callOf(imports.runtime("unions", "failTag"), [
      "report",
      quoteString(tag),
      arrayOf(tags.map(quoteLiteral)),
      found,
    ]),
    ";",
  ];
  // An open union accepts every tag of the same kind.
  const kinds = plan.union.isOpen ? new Set(tags.map(jsonKindOf)) : [];
  const isOther = [...kinds].map((kind) =>
    // A number can be a `bigint`, or too large for JSON.
    kind === "number"
      ? `!${imports.runtime("validation", "isFloat")}(${found})`
      : `typeof ${found} !== "${kind}"`,
  );
  return [
    ifOf(`!${isRecord}(value)`, `return report.fail("an object", value);`),
    ...branchesOf(
      imports,
      plan,
      "json",
      ({ value }) => {
        const check = checkNameOf(context, itemValue(value), plan.schemaName);
        return check && `return ${check}(value, report);`;
      },
      plan.union.isOpen ? ifOf(operandsOf("&&", isOther), fail) : fail,
    ),
  ];
}

/** Builds the body that calls the check of the variant that the value is of. */
function untaggedBody(
  context: ValidatorContext,
  { schemaName, union, variants }: UnionPlan,
): readonly Doc[] {
  const { imports, plan } = context;
  const { title } = plan.values.valueOf({
    kind: "reference",
    name: schemaName,
  });
  const fail: Doc = [callOf("report.fail", [quoteString(title), "value"]), ";"];
  const { choice } = union;
  const names = arrayOf(choice.map(quoteString));
  const hasOneOf = (): string => imports.runtime("unions", "hasOneOf");
  return [
    ...(choice.length === 0
      ? []
      : [ifOf(["!", callOf(hasOneOf(), ["value", names])], ["return ", fail])]),
    ...variants.map((variant, at): Doc => {
      const subject = itemValue(variant.value);
      const owner = `${schemaName}${at + 1}`;
      const check = checkNameOf(context, subject, owner);
      if (check !== null) {
        const tests = operandsOf("||", jsonTests(imports, variant));
        return ifOf(tests, `return ${check}(value, report);`);
      }
      const predicate = predicateOf(context, subject, owner);
      return ifOf(predicate?.is("value") ?? "true", "return;");
    }),
    fail,
  ];
}

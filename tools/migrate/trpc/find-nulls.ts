import type { ts } from "ts-morph";
import type {
  FieldPlan,
  ObjectPlan,
  Value,
} from "../../../generator/4-emit/typescript/plan/plan.js";
import type { Migration } from "../change/old-client.js";
import type { Base } from "../change/operations.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import { lossesIn } from "./find-losses.js";
import { findMethod } from "./find-method.js";

/**
 * Returns a warning if outputs have optional fields that can be null, but not in
 * the contract, where null is an absent field. `creation` creates the client.
 */
export function findNulls(
  creation: ts.CallExpression,
  document: string,
  { host }: Base,
  { files }: Migration,
): UnsupportedCode | null {
  const found = files.flatMap(({ lookup, uses }) =>
    uses.calls.flatMap((call) => {
      const found =
        call.document === document
          ? findMethod(host, document, call.address.path)
          : null;
      if (found === null) return [];
      const removed = fieldsWithoutNull(found.method.response.object);
      const promised = lookup.checker.getTypeAtLocation(call.node);
      const type = lookup.checker.getAwaitedType(promised) ?? promised;
      return lossesIn(type, lookup)
        .absentNulls.filter((name) => removed.has(name))
        .map((name) => `\`${name}\` of \`${call.address.path}\``);
    }),
  );
  const [first] = found;
  return first === undefined
    ? null
    : new UnsupportedCode(
        creation.expression,
        `null in optional fields, such as ${first}, becomes \`undefined\``,
        "compare these fields with `== null`, which is true for both",
      );
}

/** Returns the JSON names of the optional fields that cannot be null. */
function fieldsWithoutNull({ fields }: ObjectPlan): ReadonlySet<string> {
  const names = new Set<string>();
  const all = new Set(fields);
  // A set visits what is added while it is read.
  for (const { field, value } of all) {
    if (field.isOptional && !field.isNullable) names.add(field.jsonName);
    for (const each of fieldsIn(value)) all.add(each);
  }
  return names;
}

function fieldsIn(value: Value): readonly FieldPlan[] {
  switch (value.kind) {
    case "struct":
      return value.type.fields;
    case "list":
    case "map":
      return fieldsIn(value.held);
    case "union":
      return value.type.variants.flatMap((each) => fieldsIn(each.value));
    case "bytes":
    case "enum":
    case "scalar":
      return [];
  }
}

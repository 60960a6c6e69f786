import { branchesOf } from "../plan/branches.js";
import { compositesWithin } from "../plan/exactness.js";
import type {
  StructPlan,
  UnionPlan,
  Value,
  VariantPlan,
} from "../plan/plan.js";
import { extraOf, membersOf, valuesIn } from "../plan/values.js";
import { buildFunction } from "../text/build.js";
import type { Doc } from "../text/format.js";
import { callOf, callWithObject, ifOf, withKey } from "../text/shapes.js";
import { hoistNames, type ValidatorContext } from "./context.js";

/**
 * Returns the function by which unique items are compared, or null if the JSON
 * of equal items is the same. For example, `"1"` and `"01"` are the same
 * `bigint`, so a server could not return a list of both.
 */
function itemKeyOf(context: ValidatorContext, value: Value): Doc | null {
  const { imports, unit } = context;
  switch (value.kind) {
    case "scalar":
    case "bytes":
    case "enum": {
      const { key } = unit.needs.conversionOf(value);
      return key === null ? null : imports.runtime("codegen/codec", key);
    }
    case "list":
    case "map": {
      const key = heldKeyOf(context, value.held);
      if (key === null) return null;
      const keyOfEach = imports.runtime("codegen/checks", "keyOfEach");
      return callOf(["/* @__PURE__ */ ", keyOfEach], [key]);
    }
    case "struct":
    case "union":
      return hasKey(context, value.type)
        ? compositeKey(context, value.type)
        : null;
  }
}

/** Returns the same for an item, which can also be null. */
export function heldKeyOf(context: ValidatorContext, held: Value): Doc | null {
  const key = itemKeyOf(context, held);
  if (key === null || !held.isNullable) return key;
  const nullable = context.imports.runtime("codegen/codec", "nullable");
  return callOf(["/* @__PURE__ */ ", nullable], [key]);
}

/** Whether the JSON of equal structs or unions can differ. */
function hasKey(
  { unit }: ValidatorContext,
  type: StructPlan | UnionPlan,
): boolean {
  const isKeyed = (value: Value): boolean =>
    value.kind === "list" || value.kind === "map"
      ? isKeyed(value.held)
      : unit.needs.conversionOf(value).key !== null;
  return [type, ...compositesWithin([type])].some((composite) =>
    valuesIn(composite).some(isKeyed),
  );
}

/** Adds a function `keyX` for a struct or union and returns its name. */
function compositeKey(
  context: ValidatorContext,
  type: StructPlan | UnionPlan,
): string {
  const { hoisted, locals, predicates } = context;
  const known = hoisted.get(`key ${type.schemaName}`);
  if (known !== undefined) return known;
  const name = locals.claim(`key${type.name}`);
  // A struct can contain itself.
  hoisted.set(`key ${type.schemaName}`, name);
  const declared = buildFunction(
    [],
    name,
    [{ name: "value", type: "unknown" }],
    "unknown",
    type.kind === "struct"
      ? structKeys(context, type)
      : unionKeys(context, type),
  );
  predicates.push({ ...declared, isExported: false });
  return name;
}

function structKeys(
  context: ValidatorContext,
  struct: StructPlan,
): readonly Doc[] {
  const entries = membersOf(struct).flatMap(({ field, value }): Doc[] => {
    const key = itemKeyOf(context, value);
    if (key === null) return [];
    return [withKey(field.jsonName, (property) => [`${property}: `, key])];
  });
  const extra = extraOf(struct);
  const key =
    extra?.value.kind === "map" ? heldKeyOf(context, extra.value.held) : null;
  if (key !== null) {
    const callee = context.imports.runtime("codegen/checks", "keyOfMembers");
    const args = ["value", hoistNames(context, struct), key];
    return [["return ", callWithObject(callee, args, entries), ";"]];
  }
  const callee = context.imports.runtime("codegen/checks", "keyOfFields");
  return [["return ", callWithObject(callee, ["value"], entries), ";"]];
}

function unionKeys(
  context: ValidatorContext,
  union: UnionPlan,
): readonly Doc[] {
  const { imports } = context;
  const isRecord = (): string => imports.runtime("validation", "isRecord");
  const isTagged = union.union.tag !== null;
  const rest = "return value;";
  const branch = ({ value }: VariantPlan): Doc | null => {
    const key = itemKeyOf(context, value);
    return key && ["return ", callOf(key, ["value"]), ";"];
  };
  return [
    ...(isTagged ? [ifOf(`!${isRecord()}(value)`, rest)] : []),
    ...branchesOf(imports, union, "json", branch, rest),
    ...(isTagged ? [] : [rest]),
  ];
}

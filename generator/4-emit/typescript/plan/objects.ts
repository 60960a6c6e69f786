import type { FieldReader, ObjectPlan, UnitPlan } from "./plan.js";

/** All structs of a unit, and the messages of its methods that list arguments. */
export function objectsOf({
  messages,
  types,
}: UnitPlan): readonly ObjectPlan[] {
  return [...types.filter((type) => type.kind === "struct"), ...messages];
}

/** The fields of an object that a client has to look at. */
export function readFields({ fields }: ObjectPlan): readonly FieldReader[] {
  return fields.flatMap(({ field, read }) =>
    read === null ? [] : [{ name: field.jsonName, read }],
  );
}

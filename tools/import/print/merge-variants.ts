import type { ModelField, ModelType, TypeBody } from "../model/model.js";

/**
 * Returns a struct with the fields of all variants of a union, where those that
 * some variant lacks are optional. So it has every value of the union, and
 * others. Returns null if a variant is no struct, or if two variants have a field
 * with different types.
 *
 * Input: the body of the union, and all types.
 */
export function mergeVariants(
  union: TypeBody,
  types: readonly ModelType[],
): TypeBody | null {
  if (union.kind !== "alias" || union.metadata.length !== 1) return null;
  const [listed] = union.metadata;
  if (listed?.key !== "oneOf") return null;
  const structs = listed.value.split("|").map((name) => {
    const body = types.find((type) => type.name === name)?.body;
    return body?.kind === "struct" ? body.fields : null;
  });
  if (!structs.every((fields) => fields !== null)) return null;
  const merged = new Map<string, ModelField>();
  for (const field of structs.flat()) {
    const both = mergeFields(merged.get(field.wire) ?? field, field);
    if (both === null) return null;
    merged.set(field.wire, both);
  }
  const fields = [...merged.values()].map((field) => {
    const isRequired = structs.every((each) =>
      each.some(({ isOptional, wire }) => wire === field.wire && !isOptional),
    );
    return { ...field, isOptional: !isRequired };
  });
  const names = new Set(fields.map(({ name }) => name.toLowerCase()));
  return names.size === fields.length ? { kind: "struct", fields } : null;
}

/**
 * Returns a field with the values of two fields, and maybe others. Returns null
 * if their types differ.
 */
function mergeFields(one: ModelField, other: ModelField): ModelField | null {
  const isExtra = other.metadata.some(({ key }) => key === "extra");
  if (isExtra || one.name !== other.name || one.type !== other.type)
    return null;
  const shared = one.metadata.filter(
    ({ key, value }) =>
      key === "nullable" ||
      other.metadata.some((each) => each.key === key && each.value === value),
  );
  const isNullable = shared.some(({ key }) => key === "nullable");
  const more = other.metadata.filter(
    ({ key }) => key === "nullable" && !isNullable,
  );
  return { ...one, metadata: [...shared, ...more] };
}

import type {
  Alias,
  Field,
  TypeDeclaration,
  TypeReference,
  Union,
} from "../ir/contract.js";

/** Adds to fields what the aliases of their types say about them. */
export type MarkFields = (fields: readonly Field[]) => readonly Field[];

/**
 * Creates a function that applies `+ sensitive = true` and `+ nullable = true`
 * on a `type` to fields. A field is also sensitive if its type is a list, map or
 * union of a sensitive type. The nearest `+ sensitive` takes precedence.
 */
export function createMarkFields(types: Iterable<TypeDeclaration>): MarkFields {
  const aliases = new Map<string, Alias | Union>();
  let isAny = false;
  for (const type of types) {
    if (type.kind !== "alias" && type.kind !== "union") continue;
    aliases.set(type.name, type);
    isAny ||= isMarked(type) || type.isNullable;
  }
  if (!isAny) return (fields) => fields;

  // Unions can contain themselves.
  const isSensitive = (
    type: TypeReference,
    within: readonly string[] = [],
  ): boolean => {
    switch (type.kind) {
      case "scalar":
        return false;
      case "list":
        return isSensitive(type.element, within);
      case "map":
        return isSensitive(type.key, within) || isSensitive(type.value, within);
      case "reference": {
        const alias = aliases.get(type.name);
        if (alias === undefined || within.includes(type.name)) return false;
        if (isMarkedSensitive(alias)) return isMarked(alias);
        const inner = alias.kind === "alias" ? [alias.type] : alias.variants;
        return inner.some((each) => isSensitive(each, [...within, type.name]));
      }
    }
  };
  const isNullable = (type: TypeReference): boolean => {
    let next = type;
    while (next.kind === "reference") {
      const alias = aliases.get(next.name);
      if (alias === undefined) return false;
      if (alias.isNullable) return true;
      if (alias.kind === "union") return false;
      next = alias.type;
    }
    return false;
  };
  const mark = (field: Field): Field => {
    const marked = {
      isNullable: field.isNullable || isNullable(field.type),
      isSensitive:
        field.isSensitive ||
        (!isMarkedSensitive(field) && isSensitive(field.type)),
    };
    const isSame =
      marked.isNullable === field.isNullable &&
      marked.isSensitive === field.isSensitive;
    return isSame ? field : { ...field, ...marked };
  };
  return (fields) => {
    const marked = fields.map(mark);
    return marked.every((each, at) => each === fields[at]) ? fields : marked;
  };
}

function isMarked({ metadata }: Alias | Union): boolean {
  return metadata.findLast(isSensitiveKey)?.value === "true";
}

function isMarkedSensitive({ metadata }: Alias | Field | Union): boolean {
  return metadata.some(isSensitiveKey);
}

function isSensitiveKey({ key }: { readonly key: string }): boolean {
  return key === "sensitive";
}

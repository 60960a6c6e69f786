import type {
  Alias,
  Field,
  TypeDeclaration,
  TypeReference,
  Union,
} from "../ir/contract.js";

/** Marks the fields whose type is sensitive. */
export type MarkSensitive = (fields: readonly Field[]) => readonly Field[];

/**
 * Creates a function that applies `+ sensitive = true` on a `type` to fields of
 * that type, or of a list or map of it. The nearest `+ sensitive` takes
 * precedence.
 */
export function createMarkSensitive(
  types: Iterable<TypeDeclaration>,
): MarkSensitive {
  const aliases = new Map<string, Alias | Union>();
  let isAny = false;
  for (const type of types) {
    if (type.kind !== "alias" && type.kind !== "union") continue;
    aliases.set(type.name, type);
    isAny ||= isMarked(type);
  }
  if (!isAny) return (fields) => fields;

  const isSensitive = (type: TypeReference): boolean => {
    switch (type.kind) {
      case "scalar":
        return false;
      case "list":
        return isSensitive(type.element);
      case "map":
        return isSensitive(type.key) || isSensitive(type.value);
      case "reference": {
        const alias = aliases.get(type.name);
        if (alias === undefined) return false;
        if (isMarkedSensitive(alias)) return isMarked(alias);
        return alias.kind === "alias" && isSensitive(alias.type);
      }
    }
  };
  return (fields) =>
    fields.map((field) =>
      !isMarkedSensitive(field) && isSensitive(field.type)
        ? { ...field, isSensitive: true }
        : field,
    );
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

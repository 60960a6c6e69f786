import type {
  Alias,
  Field,
  TypeDeclaration,
  TypeReference,
} from "../ir/contract.js";

/** Fields as they are, those marked whose type is sensitive. */
export type MarkSensitive = (fields: readonly Field[]) => readonly Field[];

/**
 * What `+ sensitive = true` on a `type` means for fields: all that are of the
 * type, or of lists and maps of it, are sensitive, unless they say themselves
 * whether they are, or a type on the way to it does.
 */
export function createMarkSensitive(
  types: Iterable<TypeDeclaration>,
): MarkSensitive {
  const aliases = new Map<string, Alias>();
  let isAny = false;
  for (const type of types) {
    if (type.kind !== "alias") continue;
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
        return saysItself(alias) ? isMarked(alias) : isSensitive(alias.type);
      }
    }
  };
  return (fields) =>
    fields.map((field) =>
      !saysItself(field) && isSensitive(field.type)
        ? { ...field, isSensitive: true }
        : field,
    );
}

function isMarked({ metadata }: Alias): boolean {
  return metadata.findLast(isAboutIt)?.value === "true";
}

function saysItself({ metadata }: Alias | Field): boolean {
  return metadata.some(isAboutIt);
}

function isAboutIt({ key }: { readonly key: string }): boolean {
  return key === "sensitive";
}

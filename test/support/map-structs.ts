import {
  extraFieldOf,
  membersAmong,
} from "../../generator/ir/extra-members.js";
import type {
  Contract,
  Field,
  TypeReference,
} from "../../generator/ir/contract.js";
import { createIndex } from "../../generator/values/resolve.js";
import { isRecord } from "../../runtime/typescript/values/validation.js";

/** An object that a struct describes. */
export type StructValue = Readonly<Record<string, unknown>>;

/**
 * Maps each object that a struct describes in a message, starting with the
 * innermost. Lists and maps are copied, and other values are unchanged.
 */
export function mapStructs(
  contract: Contract,
  fields: readonly Field[],
  message: unknown,
  map: (value: StructValue, fields: readonly Field[]) => unknown,
): unknown {
  const index = createIndex(contract);

  function ofFields(list: readonly Field[], value: unknown): unknown {
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([key, item]) => {
      const known = membersAmong(list).find(({ jsonName }) => jsonName === key);
      const type = known?.type ?? extraType(list);
      return [key, type ? ofType(type, item) : item] as const;
    });
    return map(Object.fromEntries(entries), list);
  }

  /** Returns the type of members that no field declares, if there are any. */
  function extraType(list: readonly Field[]): TypeReference | undefined {
    const extra = extraFieldOf(list);
    const type = extra && index.resolve(extra.type);
    return type?.kind === "map" ? type.value : undefined;
  }

  function ofType(of: TypeReference, value: unknown): unknown {
    const type = index.resolve(of);
    if (type.kind === "list" && Array.isArray(value)) {
      return value.map((item) => ofType(type.element, item));
    }
    if (type.kind === "map" && isRecord(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          key,
          ofType(type.value, item),
        ]),
      );
    }
    if (type.kind !== "reference") return value;
    const declared = index.type(type.name);
    return declared.kind === "struct"
      ? ofFields(declared.fields, value)
      : value;
  }

  return ofFields(fields, message);
}

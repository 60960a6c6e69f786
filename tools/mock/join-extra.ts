import type { Field } from "../../generator/ir/contract.js";
import { isRecord } from "../../generator/ir/is-record.js";
import type {
  ContractValues,
  ResolvedValue,
} from "../../generator/values/value.js";
import { variantFor } from "../../generator/values/variants.js";

/**
 * Returns an object as code has it with its extra members beside its fields, as
 * in JSON, at every depth.
 */
export function joinExtra(
  values: ContractValues,
  fields: readonly Field[],
  object: unknown,
): unknown {
  if (!isRecord(object)) return object;
  return Object.fromEntries(
    fields.flatMap((field): (readonly [string, unknown])[] => {
      const { isExtra, jsonName } = field;
      if (!Object.hasOwn(object, jsonName)) return [];
      const value = joinInside(values, values.valueOf(field), object[jsonName]);
      return isExtra ? Object.entries(Object(value)) : [[jsonName, value]];
    }),
  );
}

function joinInside(
  values: ContractValues,
  type: ResolvedValue,
  value: unknown,
): unknown {
  switch (type.kind) {
    case "struct":
      return joinExtra(values, type.declaration.fields, value);
    case "union": {
      const variant = variantFor(values, type.declaration, value);
      return variant ? joinInside(values, variant.value, value) : value;
    }
    case "list": {
      const element = values.valueOf(type.element);
      return Array.isArray(value)
        ? value.map((item) => joinInside(values, element, item))
        : value;
    }
    case "map": {
      const held = values.valueOf(type.held);
      if (!isRecord(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          key,
          joinInside(values, held, item),
        ]),
      );
    }
    case "bytes":
    case "enum":
    case "scalar":
      return value;
  }
}

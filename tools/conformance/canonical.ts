import type { Field, TypeReference } from "../../generator/ir/contract.js";
import { extraFieldOf } from "../../generator/ir/extra-members.js";
import { isRecord } from "../../generator/ir/is-record.js";
import type { ContractValues } from "../../generator/values/value.js";
import { variantFor } from "../../generator/values/variants.js";

/**
 * Returns JSON in one form for all values that mean the same: timestamps as
 * instants, and no null for what is absent.
 */
export function canonical(
  values: ContractValues,
  fields: readonly Field[],
  object: unknown,
): unknown {
  if (!isRecord(object)) return object;
  const named = new Map(fields.map((field) => [field.jsonName, field]));
  const extra = extraFieldOf(fields);
  const members = Object.entries(object).flatMap(([name, member]) => {
    const field = named.get(name);
    if (field === undefined || field === extra) {
      // Beside its fields, the object has the members of a map.
      const held = extra && heldBy(values, extra);
      return [[name, held ? canonicalAs(values, held, member) : member]];
    }
    const isAbsent =
      member === null && field.isOptional && !isNullable(values, field);
    return isAbsent ? [] : [[name, canonicalAs(values, field, member)]];
  });
  return Object.fromEntries(members) as unknown;
}

function heldBy(values: ContractValues, extra: Field): TypeReference | null {
  const value = values.valueOf(extra);
  return value.kind === "map" ? value.held : null;
}

function isNullable(values: ContractValues, field: Field): boolean {
  const value = values.valueOf(field);
  const isNull =
    value.kind === "scalar" && /^(?:any|null)$/u.test(value.scalar);
  return value.isNullable || field.isNullable || isNull;
}

function canonicalAs(
  values: ContractValues,
  type: Field | TypeReference,
  json: unknown,
): unknown {
  const value = values.valueOf(type);
  switch (value.kind) {
    case "list":
      return Array.isArray(json)
        ? json.map((item) => canonicalAs(values, value.element, item))
        : json;
    case "map":
      return isRecord(json)
        ? Object.fromEntries(
            Object.entries(json).map(([key, item]) => [
              key,
              canonicalAs(values, value.held, item),
            ]),
          )
        : json;
    case "struct":
      return canonical(values, value.declaration.fields, json);
    case "union": {
      const variant = variantFor(values, value.declaration, json);
      return variant ? canonicalAs(values, variant.type, json) : json;
    }
    case "scalar":
      if (value.scalar === "timestamp") return instantOf(json);
      return /^float/u.test(value.scalar) && typeof json === "bigint"
        ? Number(json)
        : json;
    case "bytes":
    case "enum":
      return json;
  }
}

/** Returns a timestamp in one form. Other values stay as they are. */
export function instantOf(json: unknown): unknown {
  const text = String(json);
  const [, digits = ""] = /\.(\d+)/u.exec(text) ?? [];
  const isTime = /^\d{4}-\d\d-\d\dT/u.test(text);
  const seconds = Date.parse(text.replace(/\.\d+/u, "")) / 1000;
  if (!isTime || Number.isNaN(seconds)) return json;
  return `${seconds}.${digits.replace(/0+$/u, "")}`;
}

/** Whether two JSON values are the same. The order of members has no meaning. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return (
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index]))
    );
  }
  if (isRecord(one) && isRecord(other)) {
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length &&
      names.every(
        (name) => Object.hasOwn(other, name) && isSame(one[name], other[name]),
      )
    );
  }
  return one === other;
}

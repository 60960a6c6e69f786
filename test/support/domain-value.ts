import { collectEntries } from "../../generator/ir/extra-members.js";
import type { StructValue } from "./map-structs.js";
import {
  createIndex,
  type ContractIndex,
} from "../../generator/values/resolve.js";
import { valuesOf } from "../../generator/values/value.js";
import { variantFor } from "../../generator/values/variants.js";
import { isBytes } from "./is-bytes.js";
import type {
  Contract,
  Field,
  TypeReference,
} from "../../generator/ir/contract.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { isRecord } from "../../runtime/typescript/values/validation.js";

/**
 * Converts a message to its TypeScript form without generated code.
 *
 * Input: the message in wire form. Invalid values stay unchanged.
 */
export function domainOf(
  contract: Contract,
  options: EmitOptions,
  fields: readonly Field[],
  message: unknown,
): unknown {
  const index = createIndex(contract);

  function ofFields(list: readonly Field[], value: unknown): unknown {
    if (!isRecord(value)) return value;
    const members = Object.entries(value);
    const collected = collectEntries<unknown>(list, members, (extra) =>
      Object.fromEntries(extra),
    );
    return ofMembers(list, Object.fromEntries(collected));
  }

  function ofMembers(list: readonly Field[], value: StructValue): unknown {
    const entries = list.flatMap((field) => {
      if (!Object.hasOwn(value, field.jsonName)) return [];
      const item = value[field.jsonName];
      if (item === null && isAbsentAsNull(index, field)) return [];
      return [[field.jsonName, ofField(field, item)] as const];
    });
    return Object.fromEntries(entries);
  }

  function ofField(field: Field, value: unknown): unknown {
    return value !== null && index.isSafeInteger(field)
      ? value
      : ofType(field.type, value);
  }

  function ofType(of: TypeReference, value: unknown): unknown {
    if (isBytes(index, of)) {
      return typeof value === "string" ? bytesOf(value) : value;
    }
    const type = index.resolve(of);
    switch (type.kind) {
      case "list":
        return Array.isArray(value)
          ? value.map((item) => ofType(type.element, item))
          : value;
      case "map":
        return isRecord(value)
          ? Object.fromEntries(
              Object.entries(value).map(([key, item]) => [
                key,
                ofType(type.value, item),
              ]),
            )
          : value;
      case "reference": {
        const declared = index.type(type.name);
        if (declared.kind === "union") {
          const variant = variantFor(valuesOf(contract), declared, value);
          return variant ? ofType(variant.type, value) : value;
        }
        return declared.kind === "struct"
          ? ofFields(declared.fields, value)
          : value;
      }
      case "scalar": {
        const isText = index
          .aliasesFrom(of)
          .some((each) => each.acceptsInteger);
        return isText && Number.isSafeInteger(value)
          ? String(value)
          : ofScalar(type.name, index.isSafeInteger(of), value);
      }
    }
  }

  function ofScalar(name: string, isSafe: boolean, value: unknown): unknown {
    const isWide = name === "int64" || name === "uint64";
    if (isWide && options.int64 === "bigint" && !isSafe) {
      return Number.isInteger(value) ? BigInt(Number(value)) : value;
    }
    if (name === "bigint" && /^-?\d+$/u.test(`${value}`)) {
      return BigInt(`${value}`);
    }
    if (name !== "timestamp" || options.timestamp !== "date") return value;
    const date = new Date(`${value}`);
    return Number.isNaN(date.getTime()) ? value : date;
  }

  return ofFields(fields, message);
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}

/** Whether `null` in a message means that the field is absent. */
export function isAbsentAsNull(index: ContractIndex, field: Field): boolean {
  if (!field.isOptional || field.isNullable) return false;
  const takesNull = (type: TypeReference): boolean =>
    type.kind === "scalar" && ["any", "null"].includes(type.name);
  const type = index.resolve(field.type);
  if (type.kind !== "reference") return !takesNull(type);
  const declared = index.type(type.name);
  return !(declared.kind === "union" && declared.variants.some(takesNull));
}

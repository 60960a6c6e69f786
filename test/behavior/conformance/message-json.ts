import type {
  Contract,
  Field,
  TypeReference,
} from "../../../generator/ir/contract.js";
import { extraFieldOf } from "../../../generator/ir/extra-members.js";
import { isRecord } from "../../../generator/ir/is-record.js";
import { valuesOf } from "../../../generator/values/value.js";
import { variantFor } from "../../../generator/values/variants.js";

/** Converts the values of generated code to their JSON. */
export async function jsonOf(
  contract: Contract,
  fields: readonly Field[],
  message: unknown,
): Promise<unknown> {
  const values = valuesOf(contract);
  const convertAll = async (
    of: readonly Field[],
    object: unknown,
  ): Promise<unknown> => {
    if (!isRecord(object)) return object;
    const named = new Map(of.map((field) => [field.jsonName, field]));
    const extra = extraFieldOf(of);
    const pairs: [string, unknown][] = [];
    for (const [name, member] of Object.entries(object)) {
      const field = named.get(name);
      if (member === undefined) continue;
      const json = field === undefined ? member : await convert(field, member);
      if (field === undefined || field !== extra) pairs.push([name, json]);
      else pairs.push(...Object.entries(Object(json)));
    }
    return Object.fromEntries(pairs);
  };
  const convert = async (
    type: Field | TypeReference,
    given: unknown,
  ): Promise<unknown> => {
    if (given === null) return null;
    const value = values.valueOf(type);
    switch (value.kind) {
      case "bytes":
        return given instanceof Uint8Array
          ? Buffer.from(given).toString("base64")
          : given;
      case "list":
        return Array.isArray(given)
          ? Promise.all(given.map((item) => convert(value.element, item)))
          : given;
      case "map": {
        const pairs = Object.entries(Object(given)).map(
          async ([key, item]) =>
            [key, await convert(value.held, item)] as const,
        );
        return Object.fromEntries(await Promise.all(pairs));
      }
      case "struct":
        return convertAll(value.declaration.fields, given);
      case "union": {
        const variant = variantFor(values, value.declaration, given);
        return variant === null ? given : convert(variant.type, given);
      }
      case "enum":
        return given;
      case "scalar":
        if (value.scalar === "file") return fileJson(given as File);
        return value.scalar === "bigint" ? String(given) : given;
    }
  };
  return convertAll(fields, message);
}

async function fileJson(file: File): Promise<object> {
  const content = await new Response(file.stream()).arrayBuffer();
  const base64 = Buffer.from(content).toString("base64");
  return { name: file.name, type: file.type, base64 };
}

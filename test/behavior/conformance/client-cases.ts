import { variantFor } from "../../../generator/values/variants.js";
import { readFileSync } from "node:fs";
import type {
  Contract,
  Field,
  TypeReference,
} from "../../../generator/ir/contract.js";
import { collectEntries } from "../../../generator/ir/extra-members.js";
import { isWideInteger } from "../../../generator/ir/scalars.js";
import { valuesOf } from "../../../generator/values/value.js";
import { parseJson } from "../../../runtime/typescript/wire/json.js";
import {
  type ClientCase,
  readCases,
} from "../../../tools/conformance/client-case.js";
import type { WireOptions } from "./load-contract.js";

export {
  bodyOf,
  type CannedResponse,
  type ClientCase,
  methodOf,
} from "../../../tools/conformance/client-case.js";

/** All cases. Integers that a number would round are `bigint`. */
export const allClientCases: readonly ClientCase[] = readCases(
  readFileSync(
    new URL("../../../runtime/cases/client-cases.jsonl", import.meta.url),
    "utf8",
  ),
  { parse: parseJson, stringify: JSON.stringify },
);

/** The cases of a call with one response, and nothing else to set. */
export const clientCases = allClientCases.filter(
  ({ credentials, items, needs, options, refuses, responses }) =>
    !(credentials ?? items ?? options ?? responses) &&
    refuses !== "must" &&
    !needs?.some((need) => need === "files" || need === "streams"),
);

/** Whether a form of generated code can represent the values of a case. */
export function isFor(
  { needs = [] }: ClientCase,
  { int64, timestamp }: WireOptions,
): boolean {
  return (
    (int64 === "bigint" || !needs.includes("64-bit integers")) &&
    !needs.includes(timestamp === "date" ? "nanoseconds" : "points in time")
  );
}

/** Converts a message from its JSON to the values of generated code. */
export function messageOf(
  contract: Contract,
  fields: readonly Field[],
  json: unknown,
  { int64, timestamp }: WireOptions,
): unknown {
  const values = valuesOf(contract);
  const convertAll = (of: readonly Field[], object: unknown): unknown => {
    const named = new Map(of.map((field) => [field.jsonName, field]));
    const members = collectEntries<unknown>(
      of,
      Object.entries(Object(object)),
      (extra) => Object.fromEntries(extra),
    );
    return mapMembers(Object.fromEntries(members), (name, member) => {
      const field = named.get(name);
      return field === undefined ? member : convert(field, member);
    });
  };
  const convert = (type: Field | TypeReference, given: unknown): unknown => {
    if (given === null) return null;
    const value = values.valueOf(type);
    switch (value.kind) {
      case "bytes":
        return new Uint8Array(Buffer.from(String(given), "base64"));
      case "list":
        return [given].flat().map((item) => convert(value.element, item));
      case "map":
        return mapMembers(given, (_, member) => convert(value.held, member));
      case "struct":
        return convertAll(value.declaration.fields, given);
      case "union": {
        const variant = variantFor(values, value.declaration, given);
        return variant === null ? given : convert(variant.type, given);
      }
      case "enum":
        return given;
      case "scalar": {
        const { isSafe, scalar } = value;
        if (scalar === "file") return fileOf(Object(given));
        if (scalar === "timestamp")
          return timestamp === "date" ? new Date(String(given)) : given;
        const isBig =
          scalar === "bigint" ||
          (int64 === "bigint" && isWideInteger(scalar) && !isSafe);
        if (isBig) return BigInt(String(given));
        return scalar === "float64" ? Number(given) : given;
      }
    }
  };
  return json === undefined ? undefined : convertAll(fields, json);
}

/** Converts the data of an error that a case lists, or null if it has none. */
export function dataOf(
  contract: Contract,
  { name, data }: Readonly<Record<string, unknown>>,
  form: WireOptions,
): unknown {
  if (data === null) return undefined;
  const struct = contract.errors.find((each) => each.name === name)?.data;
  const type = contract.types.find((each) => each.name === struct);
  if (type?.kind !== "struct") throw new Error(`${String(name)} has no data`);
  return messageOf(contract, type.fields, data, form);
}

/** A file as drivers of the kit read and write it. */
interface FileJson {
  readonly name?: string;
  readonly type: string;
  readonly base64: string;
}

function fileOf({ base64, name = "", type }: FileJson): File {
  return new File([Buffer.from(base64, "base64")], name, { type });
}

function mapMembers(
  object: unknown,
  convert: (name: string, member: unknown) => unknown,
): unknown {
  const entries = Object.entries(Object(object)).map(
    ([name, member]) => [name, convert(name, member)] as const,
  );
  return Object.fromEntries(entries);
}

import { same } from "../values/same.js";
import { isBytes, isDate, isRecord } from "../values/predicates.js";
import { maxDepth, maxFailures } from "../values/report.js";
import type { Check, Report } from "../values/validation.js";
import { extraMembers } from "../values/extra.js";
import {
  collectExtra,
  decodeBigint,
  decodeBytes,
  decodeDate,
  decodeFloat,
  decodeInt64,
  decodeIntegerText,
  encodeBytes,
  encodeDate,
  spreadExtra,
} from "./codec.js";

import type {
  ConvertingSchema,
  Form,
  JsonSchema,
  Schema,
  SchemaIssue,
  SchemaJson,
  ToJsonSchema,
  WithJson,
} from "../wire/schema.js";

/** Creates a schema for values that have only one form. */
export function schemaOf<T>(check: Check): Schema<T>;
/** Implements the signature above. */
export function schemaOf(check: Check): Schema<unknown> {
  return { "~standard": standardOf(check) };
}

/**
 * Creates a schema for an object.
 *
 * Input: `forms` returns a converter for each field that has two forms.
 */
export function convertingSchemaOf<T>(
  check: Check,
  forms: () => Readonly<Record<string, Form>>,
): ConvertingSchema<T>;
/** Implements the signature above. */
export function convertingSchemaOf(
  check: Check,
  forms: () => Readonly<Record<string, Form>>,
): ConvertingSchema<unknown> {
  const turn: Form["~turn"] = (value, isBack) => {
    if (isRecord(value)) {
      for (const [key, form] of Object.entries(forms())) {
        // Ignore inherited properties, which callers did not set.
        if (Object.hasOwn(value, key)) turnAt(value, key, form, isBack);
      }
    }
    return value;
  };
  return { "~standard": standardOf(check, turn, nameBoth), "~turn": turn };
}

/**
 * Creates a schema for an object that collects extra members.
 *
 * Input: the names of the fields in JSON, the name of the property with the
 * other members, and whether it is absent if there are none.
 */
export function collectingSchemaOf<T>(
  check: Check,
  fields: ReadonlySet<string>,
  name: string,
  isOptional: boolean,
  forms: () => Readonly<Record<string, Form>>,
): ConvertingSchema<T>;
/** Implements the signature above. */
export function collectingSchemaOf(
  check: Check,
  fields: ReadonlySet<string>,
  name: string,
  isOptional: boolean,
  forms: () => Readonly<Record<string, Form>>,
): ConvertingSchema<unknown> {
  const { "~turn": turnFields } = convertingSchemaOf<unknown>(check, forms);
  const turn: Form["~turn"] = (value, isBack) => {
    if (!isRecord(value)) return value;
    if (isBack) {
      collectExtra(value, fields, name, isOptional);
      return turnFields(value, true);
    }
    // The extra members can be in the map or, as in JSON, beside the fields.
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const map = isRecord(given) ? extraMembers(given, fields) : {};
    if (isRecord(given)) delete value[name];
    collectExtra(value, fields, name, false);
    value[name] = Object.fromEntries([
      ...Object.entries(map),
      ...Object.entries(Object(value[name])),
    ]);
    return spreadExtra(Object(turnFields(value, false)), fields, name);
  };
  return { "~standard": standardOf(check, turn, nameBoth), "~turn": turn };
}

/**
 * Creates a schema for a union.
 *
 * Input: `formOf` returns a converter for the variant of a value, in JSON or in
 * TypeScript, or null if the variant has only one form.
 */
export function convertingUnionOf<T>(
  check: Check,
  formOf: (value: unknown) => Form | null,
): ConvertingSchema<T>;
/** Implements the signature above. */
export function convertingUnionOf(
  check: Check,
  formOf: (value: unknown) => Form | null,
): ConvertingSchema<unknown> {
  const turn: Form["~turn"] = (value, isBack) =>
    formOf(value)?.["~turn"](value, isBack) ?? value;
  return { "~standard": standardOf(check, turn, nameBoth), "~turn": turn };
}

/** Adds JSON Schemas to a schema. */
export function schemaWithJson<S extends Schema<unknown>>(
  schema: S,
  json: SchemaJson,
): S & WithJson {
  const jsonSchema = {
    input: toJsonSchema(json, ({ input }) => input),
    output: toJsonSchema(json, outputOf),
  };
  return {
    ...schema,
    ...json,
    "~standard": { ...schema["~standard"], jsonSchema },
  };
}

function toJsonSchema(
  root: SchemaJson,
  sideOf: (json: SchemaJson) => JsonSchema | null,
): ToJsonSchema {
  const schemaOf = (json: SchemaJson): JsonSchema => {
    const schema = sideOf(json);
    if (schema) return schema;
    throw new TypeError(`the output of ${json.name} is not JSON`);
  };
  return ({ target }) => {
    const isOld = target === "draft-07";
    if (!isOld && target !== "draft-2020-12")
      throw new TypeError(`JSON Schema for ${target} is not supported`);
    // Types that a type refers to are added to the set during the loop.
    const types = new Set(root.refs?.());
    for (const { refs } of types) refs?.().forEach((type) => types.add(type));
    const defs = Array.from(types, (type) => [type.name, schemaOf(type)]);
    const document = {
      $schema: isOld
        ? "http://json-schema.org/draft-07/schema#"
        : "https://json-schema.org/draft/2020-12/schema",
      ...schemaOf(root),
      [isOld ? "definitions" : "$defs"]: Object.fromEntries(defs),
    };
    return JSON.parse(JSON.stringify(document), isOld ? toDraft7 : undefined);
  };
}

function outputOf({ input, output = {} }: SchemaJson): JsonSchema | null {
  const { properties } = input;
  return (
    output && {
      ...input,
      ...output,
      ...(isRecord(properties) && {
        properties: { ...properties, ...Object(output["properties"]) },
      }),
    }
  );
}

/**
 * Moves references into `allOf`, because draft 7 ignores the keywords next to a
 * reference.
 */
function toDraft7(_: string, value: unknown): unknown {
  if (!isRecord(value) || typeof value["$ref"] !== "string") return value;
  const { $ref, ...rest } = value;
  return { ...rest, allOf: [{ $ref: $ref.replace("$defs", "definitions") }] };
}

/**
 * Returns a description that fits the JSON form and the TypeScript form of a
 * value. An integer must be a string only in JSON.
 */
function nameBoth(expected: string): string {
  return expected.replace(/^a string that represents (?=an integer)/, "");
}

function standardOf(
  check: Check,
  turn: Form["~turn"] = same,
  nameOf: (expected: string) => string = same,
): Schema<unknown>["~standard"] {
  return {
    version: 1,
    vendor: "ridlkit",
    validate: (original) => {
      const issues: SchemaIssue[] = [];
      const report = reportTo(issues, nameOf);
      const value = turn(copyOf(original, report, 0), false);
      if (!issues[0]) check(value, report);
      return issues[0]
        ? { issues: issues.slice(0, maxFailures) }
        : { value: turn(value, true) };
    },
  };
}

/**
 * Creates a report that collects issues. It adds less code to a bundle than
 * `FailureReport`.
 */
function reportTo(
  failures: SchemaIssue[],
  nameOf: (expected: string) => string,
): Report {
  const path: (string | number)[] = [];
  const report: Report = {
    failures,
    path,
    dropsNulls: true,
    dropsUnknown: false,
    isRequest: true,
    hidden: 0,
    fail: (expected) => {
      failures.push({
        message: `expected ${nameOf(expected)}`,
        path: [...path],
      });
    },
    failAt: (key, expected, value) => {
      path.push(key);
      report.fail(expected, value);
      path.pop();
    },
    enter: (key) => path.push(key),
    leave: () => path.pop(),
  };
  return report;
}

/**
 * Copies lists and objects. Other values need no copy, because they are never
 * changed.
 */
function copyOf(value: unknown, report: Report, depth: number): unknown {
  const copyAt = (item: unknown): unknown => copyOf(item, report, depth + 1);
  // Stop at once, because an endless value can have endless branches. Treat NaN
  // as absent, because it is the value of an empty number input.
  if (report.failures[0] || Number.isNaN(value)) return undefined;
  if (depth > maxDepth) return report.fail(`at most ${maxDepth} levels`, value);
  if (Array.isArray(value)) return value.map(copyAt);
  // A class instance with a stream can be a file.
  if (!isPlain(value) || typeof value.stream === "function") return value;
  // Do not use assignment, because a key can be `__proto__`.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, copyAt(item)]),
  );
}

/** Whether a value is an object without a class of the platform, in any realm. */
function isPlain(value: unknown): value is { readonly stream?: unknown } {
  return {}.toString.call(value) === "[object Object]";
}

function turnAt(holder: object, key: string, form: Form, isBack: boolean) {
  const value: unknown = Reflect.get(holder, key);
  // Null means absent.
  if (value != null) Reflect.set(holder, key, form["~turn"](value, isBack));
}

function formOf(
  toWire: (value: unknown) => unknown,
  back: (value: unknown) => unknown,
): Form {
  return { "~turn": (value, isBack) => (isBack ? back : toWire)(value) };
}

/** Returns the form of a list or map whose values have the given form. */
export function formOfEach(form: Form): Form {
  return {
    "~turn": (value, isBack) => {
      if (typeof value === "object" && value !== null) {
        for (const key in value) turnAt(value, key, form, isBack);
      }
      return value;
    },
  };
}

/** Converts between `bigint` and decimal text in JSON. */
export const bigintForm: Form = /* @__PURE__ */ formOf(
  (value) =>
    typeof value === "bigint" || Number.isSafeInteger(value)
      ? String(value)
      : value,
  decodeBigint,
);

/**
 * Converts between `bigint` and a JSON number. Schemas also accept decimal
 * text.
 */
export const int64Form: Form = /* @__PURE__ */ formOf(
  (value) =>
    typeof value === "string" && /^-?[0-9]{1,20}$/.test(value)
      ? BigInt(value)
      : value,
  decodeInt64,
);

/** Converts between `Date` and RFC 3339 text in JSON. */
export const dateForm: Form = /* @__PURE__ */ formOf(
  (value) =>
    isDate(value) && !Number.isNaN(value.getTime()) ? encodeDate(value) : value,
  decodeDate,
);

/** Converts between `Uint8Array` and base64 in JSON. */
export const bytesForm: Form = /* @__PURE__ */ formOf(
  (value) => (isBytes(value) ? encodeBytes(value) : value),
  decodeBytes,
);

/** Converts a float, which may have been read as a `bigint`, to `number`. */
export const floatForm: Form = /* @__PURE__ */ formOf(same, decodeFloat);

/** Converts text or an integer in JSON to text. */
export const integerTextForm: Form = /* @__PURE__ */ formOf(
  same,
  decodeIntegerText,
);

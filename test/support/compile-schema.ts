import { isDeepStrictEqual } from "node:util";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/**
 * Matches RFC 3339 timestamps with `T` between date and time, as validators do.
 * ajv checks the date itself.
 */
const timestamp =
  /^[0-9-]{10}[Tt][0-9:]{8}(?:\.[0-9]{1,9})?(?:[Zz]|[+-][0-9:]{5})$/u;

/**
 * Compiles definitions of a generated schema with ajv, which also checks the
 * schema itself. A value must match at least one of the definitions. Formats
 * that the specification leaves to applications, such as base64, are checked as
 * on the wire.
 */
export function compileSchema(
  schema: object,
  ...definitions: readonly string[]
): (value: unknown) => boolean {
  const ajv = compilers.get(schema) ?? createCompiler(schema);
  compilers.set(schema, ajv);
  const refs = definitions.map((name) => ({ $ref: `${key}#/$defs/${name}` }));
  const validate = ajv.compile({ anyOf: [false, ...refs] });
  return (value) => validate(value) === true;
}

/** Compiles a schema of draft 7 or 2020-12, as {@link compileSchema} does. */
export function compileDocument(schema: object): (value: unknown) => boolean {
  const validate = createCompiler(schema).getSchema(key);
  if (validate === undefined) throw new Error("the schema was not added");
  return (value) => validate(value) === true;
}

const key = "schema";

/** Lets ajv check a schema only once, even if it compiles many definitions. */
const compilers = new WeakMap<object, Ajv>();

/** Creates an ajv instance in which a schema is registered as `key`. */
function createCompiler(schema: object): Ajv {
  const isOld = JSON.stringify(schema).includes("draft-07/schema#");
  const ajv = new (isOld ? Ajv : Ajv2020)({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    ownProperties: true,
  });
  ajv.removeKeyword("contentEncoding");
  ajv.addKeyword({
    keyword: "contentEncoding",
    type: "string",
    validate: (_: unknown, text: string) =>
      Buffer.from(text, "base64").toString("base64") === text,
  });
  // ajv's own comparison would call a property named `toString`.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    validate: (isUnique: boolean, items: readonly unknown[]) =>
      !isUnique ||
      items.every((item, at) => !isAmong(item, items.slice(0, at))),
  });
  addFormats.default(ajv, ["date-time", "uri"]);
  const { validate: isDateTime } = Object(ajv.formats["date-time"]);
  ajv.addFormat(
    "date-time",
    (text) => timestamp.test(text) && isDateTime(text),
  );
  return ajv.addSchema(schema, key);
}

function isAmong(item: unknown, others: readonly unknown[]): boolean {
  return others.some((other) => isDeepStrictEqual(asJson(item), asJson(other)));
}

/**
 * Returns the value as it is on the wire, where 0 and -0 are the same number.
 */
function asJson(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
}

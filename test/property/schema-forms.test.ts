import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { quote } from "../../generator/1-parse/values.js";
import {
  hashSchema,
  printSchemaJson,
  printSchemaRidl,
  toSchemaJson,
} from "../../generator/schema-json/index.js";
import { checkDocuments } from "../support/check-documents.js";

/** Strings that a schema may contain. */
const text = fc
  .string({ unit: "grapheme", maxLength: 10 })
  .map((each) => each.replace(/\p{Cc}/gu, ""));
const name = fc.stringMatching(/^[A-Z][A-Za-z0-9]{0,6}$/);
const lowerName = fc.stringMatching(/^[a-z][A-Za-z0-9_]{0,6}$/);
const docs = (margin: string): fc.Arbitrary<string> =>
  fc
    .array(text, { maxLength: 2 })
    .map((lines) =>
      lines.map((each) => `${margin}# ${each.trim()}\n`).join(""),
    );

/** A core type, or one of the three types that every document declares. */
const typeText: fc.Arbitrary<string> = fc.letrec<{ type: string }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("string", "uint64", "bigint", "any", "timestamp", "[]byte"),
    fc.constantFrom("OwnStruct", "OwnEnum", "OwnAlias"),
    tie("type").map((element) => `[]${element}`),
    fc
      .tuple(fc.constantFrom("string", "int32", "OwnEnum"), tie("type"))
      .map(([key, value]) => `map<${key},${value}>`),
  ),
})).type;

const metadata = fc
  .array(
    fc.tuple(fc.stringMatching(/^x\.[a-z]{1,4}(\.[a-z0-9]{1,3})?$/), text),
    { maxLength: 2 },
  )
  .map((entries) =>
    entries.map(([key, value]) => `    + ${key} = ${quote(value)}\n`).join(""),
  );

const fields = fc
  .uniqueArray(
    fc.tuple(docs("  "), lowerName, fc.boolean(), typeText, metadata),
    { maxLength: 4, selector: ([, each]) => each.toLowerCase() },
  )
  .map((list) =>
    list
      .map(
        ([above, each, isOptional, type, below]) =>
          `${above}  - ${each}${isOptional ? "?" : ""}: ${type}\n${below}`,
      )
      .join(""),
  );

const struct = fc.tuple(docs(""), fields).map(
  ([above, list]) =>
    (id: string) =>
      `${above}struct S${id}\n${list}`,
);

const enumeration = fc
  .tuple(
    fc.constantFrom("string", "uint8", "int64"),
    fc.uniqueArray(name, { maxLength: 4 }),
    fc.uniqueArray(text, { minLength: 4, maxLength: 4 }),
    fc.boolean(),
  )
  .map(([base, members, values, isExplicit]) => (id: string) => {
    const lines = members.map((member, index) => {
      const value =
        base === "string" ? (values[index] ?? "") : String(index * 3);
      return isExplicit
        ? `  - ${member} = ${quote(value)}\n`
        : `  - ${member} # ${member}\n`;
    });
    return `enum E${id}: ${base}\n${lines.join("")}`;
  });

const error = fc.tuple(text, fc.integer({ min: 400, max: 599 })).map(
  ([message, status]) =>
    (id: string) =>
      `error 1${id} Err${id} ${quote(`${message}.`)} HTTP ${status}\n`,
);

const message = fc
  .uniqueArray(fc.tuple(lowerName, fc.boolean(), typeText), {
    maxLength: 3,
    selector: ([each]) => each,
  })
  .map((list) =>
    list
      .map(
        ([each, isOptional, type]) =>
          `${each}${isOptional ? "?" : ""}: ${type}`,
      )
      .join(", "),
  );

const method = fc
  .tuple(docs("  "), text, message, message, fc.nat(3))
  .map(([above, value, input, output, kind]) => (id: string) => {
    const annotation =
      value === "" ? "" : `  @note:${quote(value)} @internal\n`;
    const messages = [
      `(${input}) => (${output})`,
      `(${input})`,
      "(OwnStruct) => (OwnStruct)",
      `(${input}) => stream (${output})`,
    ][kind];
    const errors = kind === 1 ? "" : " errors OwnError";
    return `${above}${annotation}  - M${id}${messages}${errors}\n`;
  });

const service = fc
  .tuple(docs(""), fc.array(method, { minLength: 1, maxLength: 3 }))
  .map(
    ([above, methods]) =>
      (id: string) =>
        `${above}service v1/V${id}\n${methods.map((each, index) => each(String(index))).join("")}`,
  );

/** A document without errors. */
const document = fc
  .tuple(
    text,
    fc.array(fc.oneof(struct, enumeration, error, service), { maxLength: 5 }),
  )
  .map(
    ([title, items]) => `webrpc = v1
name = ${quote(`a${title}`)}
version = v1.2.3
basepath = /v1//rpc

struct OwnStruct
  - a: string

enum OwnEnum: uint8
  - ONE

type OwnAlias: string
  + x.y = "z"

error 1 OwnError "own" HTTP 404

${items.map((each, index) => each(String(index))).join("\n")}`,
  );

/**
 * Returns a document in webrpc's form, and the same content as one RIDL
 * document.
 */
function formsOf(path: string, source: string): { json: string; ridl: string } {
  const { value, diagnostics } = checkDocuments([path], {
    read: (asked) => (asked === path ? source : null),
  });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual(
    [],
  );
  const [host] = value.hosts;
  if (host === undefined) return expect.unreachable("no host");
  const schema = toSchemaJson(value, host);
  expect(hashSchema(schema, (each) => each)).toBe(printSchemaJson(schema));
  return {
    json: printSchemaJson(schema),
    ridl: printSchemaRidl(value, host),
  };
}

test("a round trip from RIDL to JSON or YAML and back changes nothing", () => {
  fc.assert(
    fc.property(document, (source) => {
      const { json, ridl } = formsOf("a.ridl", source);
      expect(formsOf("b.ridl", ridl).json).toBe(json);
      const form = formsOf("a.json", json);
      expect(form.json).toBe(json);
      expect(formsOf("c.ridl", form.ridl).json).toBe(json);
      const yaml = stringify(JSON.parse(json));
      expect(formsOf("a.yaml", yaml).json).toBe(json);
    }),
    { numRuns: 120 },
  );
});

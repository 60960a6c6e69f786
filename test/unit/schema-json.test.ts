import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  hashSchema,
  printSchemaJson,
  toSchemaJson,
  type SchemaJson,
} from "../../tools/schema-json/index.js";
import { checkDocuments } from "../support/check-documents.js";

function schemaOf(
  texts: Record<string, string>,
  entry = "api.ridl",
): SchemaJson {
  const host = { read: (path: string) => texts[path] ?? null };
  const { value, diagnostics } = checkDocuments([entry], host);
  expect(diagnostics).toEqual([]);
  const [only] = value.hosts;
  if (only === undefined) throw new Error("no host");
  return toSchemaJson(value, only);
}

function textOf(body: string): SchemaJson {
  return schemaOf({ "api.ridl": `webrpc = v1\nversion = v1.0.0\n${body}` });
}

test("an empty document has all seven keys, in order", () => {
  const text = printSchemaJson(schemaOf({ "api.ridl": "webrpc = v1\n" }));
  expect(text).toBe(`{
 "webrpc": "v1",
 "name": "",
 "version": "",
 "basepath": "",
 "types": [],
 "errors": [],
 "services": []
}
`);
});

test("the base path has a default value if there are services", () => {
  const service = "service S\n  - Ping()\n";
  expect(textOf(service).basepath).toBe("/rpc/");
  expect(textOf("struct A\n").basepath).toBe("");
  expect(textOf("basepath = v1\nstruct A\n").basepath).toBe("/v1/");
});

describe("types", () => {
  test("are grouped by category, and contain only keys that have a value", () => {
    const { types } = textOf(`
# A user.
struct User # with an id
  # Unique.
  - id: uint64
    + json = ID
    + go.tag.db = id
  - tags?: map<kind, []string>

struct Nothing

# Lost, as webrpc loses it.
enum Kind: uint32
  - USER = 4 # the first
  - ADMIN

enum Side: string
  - buy
  - sell = SELL

# How to reach somebody.
type Contact: []map<string,User>
  + ts.type = Contacts
`);
    expect(JSON.stringify(types, null, 1)).toBe(
      JSON.stringify(
        [
          {
            kind: "alias",
            name: "Contact",
            type: "[]map<string,User>",
            meta: [{ "ts.type": "Contacts" }],
            comments: ["How to reach somebody."],
          },
          {
            kind: "enum",
            name: "Kind",
            type: "uint32",
            fields: [
              { comments: ["the first"], name: "USER", value: "4" },
              { name: "ADMIN", value: "1" },
            ],
          },
          {
            kind: "enum",
            name: "Side",
            type: "string",
            fields: [
              { name: "buy", value: "buy" },
              { name: "sell", value: "SELL" },
            ],
          },
          {
            kind: "struct",
            name: "User",
            fields: [
              {
                comments: ["Unique."],
                name: "id",
                type: "uint64",
                meta: [{ json: "ID" }, { "go.tag.db": "id" }],
              },
              { name: "tags", type: "map<Kind,[]string>", optional: true },
            ],
            comments: ["A user.", "with an id"],
          },
          { kind: "struct", name: "Nothing" },
        ],
        null,
        1,
      ),
    );
  });

  test("of imported documents come first, grouped by category within each document", () => {
    const { types } = schemaOf({
      "api.ridl": `webrpc = v1
import left.ridl
import right.ridl
struct Own
type OwnAlias: Base
`,
      "left.ridl": "webrpc = v1\nimport base.ridl\nstruct Left\n",
      "right.ridl": "webrpc = v1\nimport base.ridl\nenum Right: uint8\n- A\n",
      "base.ridl": "webrpc = v1\nstruct Base\ntype BaseAlias: string\n",
    });
    expect(types.map(({ name }) => name)).toEqual([
      "BaseAlias",
      "Base",
      "Left",
      "Right",
      "OwnAlias",
      "Own",
    ]);
  });
});

test("errors have a status", () => {
  const { errors } = textOf(`
error 20 Late "too late" HTTP 503
error 3 Odd "odd"
`);
  expect(errors).toEqual([
    { code: 20, name: "Late", message: "too late", httpStatus: 503 },
    { code: 3, name: "Odd", message: "odd", httpStatus: 400 },
  ]);
});

test("services have methods, annotations, arguments, and comments", () => {
  const { services } = textOf(`
error 1 Broken "broken"

struct GetRequest
struct GetResponse

# Reads things.
service v1/Reader
  # Gets.
  @internal:x @acl:"A,B" @deprecated
  - Get(getRequest) => (GetResponse) errors Broken
  - Watch(id: string, more?: []uint8) => stream (tick: int64)
  - Ping()
`);
  expect(JSON.stringify(services, null, 1)).toBe(
    JSON.stringify(
      [
        {
          name: "v1/Reader",
          methods: [
            {
              name: "Get",
              annotations: {
                acl: { annotationType: "acl", value: "A,B" },
                deprecated: { annotationType: "deprecated", value: "" },
                internal: { annotationType: "internal", value: "x" },
              },
              comments: ["Gets."],
              succinct: true,
              inputs: [
                { name: "getRequest", type: "GetRequest", optional: false },
              ],
              outputs: [
                { name: "getResponse", type: "GetResponse", optional: false },
              ],
              errors: ["Broken"],
            },
            {
              name: "Watch",
              annotations: {},
              comments: [],
              streamOutput: true,
              inputs: [
                { name: "id", type: "string", optional: false },
                { name: "more", type: "[]uint8", optional: true },
              ],
              outputs: [{ name: "tick", type: "int64", optional: false }],
            },
            {
              name: "Ping",
              annotations: {},
              comments: [],
              inputs: [],
              outputs: [],
            },
          ],
          comments: ["Reads things."],
        },
      ],
      null,
      1,
    ),
  );
});

test("the hash is the SHA-1 of the text", () => {
  const schema = schemaOf({ "api.ridl": 'webrpc = v1\nname = "\u2028<é>"\n' });
  const text = printSchemaJson(schema);
  // Like webrpc, this escapes the line separator, but neither `<` nor `é`.
  expect(text).toContain(String.raw`"name": "\u2028<é>"`);
  const sha1 = (input: string): string =>
    createHash("sha1").update(input).digest("hex");
  expect(hashSchema(schema, sha1)).toBe(sha1(text));
});

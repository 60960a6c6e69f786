import { expect, test } from "vitest";
import { printOpenapi } from "../../generator/4-emit/openapi/openapi.js";
import { compileContract } from "../../generator/compile.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";

const options: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

/** Returns the schema of a path segment whose type is given. */
function schemaOf(type: string): unknown {
  const text = `webrpc = v1
name = shop
version = v1.0.0

type Name: string
type Digits: string
  + pattern = "^[0-9]+$"
type Names: []Name

service Shop
  @get:"/items/{names}"
  - GetItems(names: ${type}) => (count: uint32)
`;
  const { value } = compileContract(["a.ridl"], { read: () => text });
  if (value === null) throw new Error("the contract has errors");
  const printed = printOpenapi(value, value.hosts, options, { format: "json" });
  const document = JSON.parse(printed) as {
    readonly paths: Record<
      string,
      { readonly get: { readonly parameters: readonly { schema: unknown }[] } }
    >;
  };
  return document.paths["/items/{names}"]?.get.parameters[0]?.schema;
}

const pattern = "^[^,]*$";
const root = "#/components/schemas";

test.each([
  ["[]string", { type: "array", items: { type: "string", pattern } }],
  ["[]Name", { type: "array", items: { $ref: `${root}/Name`, pattern } }],
  ["Names", { $ref: `${root}/Names`, items: { pattern } }],
  ["[]Digits", { type: "array", items: { $ref: `${root}/Digits` } }],
  ["string", { type: "string" }],
])(
  "an item of %s in a path has no comma, at which servers split",
  (type, schema) => {
    expect(schemaOf(type)).toEqual(schema);
  },
);

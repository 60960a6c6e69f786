import { expect, test } from "vitest";
import { importJsonSchema } from "../../tools/import/import-json-schema.js";
import { checkDocuments } from "../support/check-documents.js";

/** Imports `shop.json`, and returns the RIDL, its errors, and the messages. */
function run(files: Readonly<Record<string, object>>) {
  const read = (path: string) =>
    files[path] === undefined
      ? { fault: "it does not exist" }
      : { text: JSON.stringify(files[path]) };
  const { diagnostics, documents } = importJsonSchema(
    "shop.json",
    read,
    "shop",
  );
  const text = documents?.get("shop.ridl") ?? null;
  const reader = { read: () => text };
  const checked = text === null ? null : checkDocuments(["shop.ridl"], reader);
  const messages = diagnostics.map(({ message }) => message);
  return { checked, messages, text };
}

test("a JSON Schema becomes types", () => {
  const { checked, messages, text } = run({
    "shop.json": {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "Order",
      description: "What somebody buys.",
      type: "object",
      required: ["id", "items"],
      properties: {
        id: { type: "string", minLength: 1 },
        items: { type: "array", items: { $ref: "#/$defs/Item" } },
        owner: { $ref: "owner.json" },
        note: { type: "string", not: {} },
      },
      $defs: {
        Item: {
          type: "object",
          required: ["kind"],
          properties: { kind: { enum: ["book", "pen"] } },
        },
      },
    },
    "owner.json": { type: "object", properties: { name: { type: "string" } } },
  });
  expect(text).toBe(`webrpc = v1
name = order
version = v0.0.1

struct Item
  - kind: string
    + enum = book|pen

# What somebody buys.
struct Order
  - id: string
    + minLength = 1
  - items: []Item
  - owner?: OrderOwner
  - note?: string

struct OrderOwner
  - name?: string
`);
  expect(checked?.diagnostics).toEqual([]);
  expect(messages).toEqual(["RIDL has no equivalent of `not`"]);
});

test("a document that only contains schemas becomes types", () => {
  const schemas = { User: { type: "object", properties: { id: true } } };
  for (const key of ["$defs", "definitions", "schemas"]) {
    const { checked, text } = run({ "shop.json": { [key]: schemas } });
    expect(text).toContain("struct User\n  - id?: any\n");
    expect(checked?.diagnostics).toEqual([]);
  }
});

test("another document is not a JSON Schema", () => {
  const { messages, text } = run({ "shop.json": { openapi: "3.1.0" } });
  expect(text).toBeNull();
  expect(messages).toEqual(["the document is not a JSON Schema"]);
});

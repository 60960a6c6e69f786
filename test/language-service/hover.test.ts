import { expect, test } from "vitest";
import { openMarked } from "./support/marked.js";
import { shopAt } from "./support/shop.js";

test.each([
  [
    "a struct",
    "Item)",
    [
      "struct Item",
      "What is for sale.",
      "export interface Item {",
      "owned_by: Address;",
    ],
  ],
  [
    "a field",
    "owner:",
    [
      "- owner: Address",
      "Who has it.",
      '`"owned_by"`, a string',
      "owned_by: Address;",
    ],
  ],
  [
    "an optional field",
    "tags",
    ["tags?: string[];", "+ maxItems = 5", "an array"],
  ],
  ["a field with a map", "colors", ["Partial<Record<Color, number>>"]],
  [
    "an alias in another document",
    "Address",
    [
      '+ pattern = "^0x[0-9a-fA-F]{40}$"',
      "A checksummed address.",
      "export type Address = string;",
    ],
  ],
  [
    "a method",
    "GetItem",
    [
      "One item.",
      "GET /items/{id}",
      "getItem(request: GetItemRequest): Promise<GetItemResponse>",
    ],
  ],
  ["an argument", "item: Item", ["item: Item", "an object", "item: Item;"]],
  ["an error", "Unauthorized", ["Nobody knows this key.", "HTTP status 401"]],
  ["a credential", 'X-Api-Key"', ["type ApiKey: string"]],
  ["a parameter of a path", "id}", ["id: uint32"]],
  ["a core type", "uint8", ["from 0 to 255", "On the wire: a number."]],
  ["a metadata key", "maxProperties", ["maximum number of entries in a map"]],
  ["an annotation", "auth", ["The credentials that the method requires"]],
  ["a header", "version", ["The version of the contract"]],
])("shows %s", (_, before, expected) => {
  const { service, path, offset } = openMarked(shopAt("api.ridl", before));
  const hover = service.hover(path, offset);
  for (const text of expected) expect(hover?.markdown).toContain(text);
});

test("omits TypeScript if the contract has errors", () => {
  const documents = shopAt("api.ridl", "Item)");
  const { service, path, offset } = openMarked({
    ...documents,
    "api.ridl": documents["api.ridl"]?.replace("uint8", "uint9") ?? "",
  });
  const { markdown = "" } = service.hover(path, offset) ?? {};
  expect(markdown).toContain("struct Item");
  expect(markdown).not.toContain("```ts");
});

test("shows nothing between words", () => {
  const { service, path, offset } = openMarked(shopAt("api.ridl", "\n# What"));
  expect(service.hover(path, offset)).toBeNull();
  expect(service.hover("gone.ridl", 0)).toBeNull();
});

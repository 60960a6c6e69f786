import { describe, expect, test } from "vitest";
import { openMarked } from "./support/marked.js";
import { shop, shopAt } from "./support/shop.js";

const library = `webrpc = v1
name = library
version = v1.0.0

import "common.ridl"
  - Color
  - Unauthorized

type Shade: string
  + known = Color
  + error = "Unauthorized"

struct Find
  - shade: Shade

service Library
  @get:"/books/{id}" @body:shade @readonly
  - Get(id: string) => (shade: Shade)
  - Find(Find)
`;

describe("go to definition", () => {
  test.each([
    ["an imported type", "Color\n  - Un", "Color", "common.ridl"],
    ["an imported error", "Unauthorized\n\n", "Unauthorized", "common.ridl"],
    ["an enum of known values", "Color\n  + error", "Color", "common.ridl"],
    ["the output that is the body", "shade @", "shade", "library.ridl"],
    ["a succinct message", "Find)", "Find", "library.ridl"],
  ])("works on %s", (_, before, name, document) => {
    const { service, path, offset, textAt } = openMarked({
      ...shop,
      "library.ridl": library.replace(before, `§${before}`),
    });
    const [target] = service.definition(path, offset);
    expect(target?.path).toBe(document);
    expect(target && textAt({ ...target, span: target.nameSpan })).toBe(name);
  });

  test.each([
    ["a use of a type", "Address", "Address", "common.ridl"],
    ["a map key", "Color,", "Color", "common.ridl"],
    ["a use of an error", "Unauthorized", "Unauthorized", "common.ridl"],
    ["a credential", 'X-Api-Key"', "ApiKey", "common.ridl"],
    ["a parameter of a path", "id}", "id", "api.ridl"],
    ["a declaration", "owner:", "owner", "api.ridl"],
  ])("works on %s", (_, before, name, document) => {
    const { service, path, offset, textAt } = openMarked(
      shopAt("api.ridl", before),
    );
    const [target] = service.definition(path, offset);
    expect(target?.path).toBe(document);
    expect(target && textAt({ ...target, span: target.nameSpan })).toBe(name);
  });

  test("opens the imported document", () => {
    const { service, path, offset } = openMarked(
      shopAt("api.ridl", '"common.ridl"'),
    );
    expect(service.definition(path, offset)).toMatchObject([
      { path: "common.ridl", span: { start: 0, end: 0 } },
    ]);
  });

  test("finds no definition of a core type", () => {
    const { service, path, offset } = openMarked(shopAt("api.ridl", "uint32"));
    expect(service.definition(path, offset)).toEqual([]);
  });
});

test.each([
  ["a field", "owner:", ["Address"]],
  ["a map", "colors:", ["Color"]],
  ["a method", "GetItem", ["Item"]],
  ["a struct", "Item\n", ["Item"]],
])("go to type definition works on %s", (_, before, names) => {
  const { service, path, offset, textAt } = openMarked(
    shopAt("api.ridl", before),
  );
  const targets = service.typeDefinition(path, offset);
  expect(
    targets.map((each) => textAt({ ...each, span: each.nameSpan })),
  ).toEqual(names);
});

test("go to type definition finds the struct of a succinct message", () => {
  const { service, path, offset, textAt } = openMarked({
    ...shop,
    "library.ridl": library.replace("Find(Find)", "§Find(Find)"),
  });
  const [target] = service.typeDefinition(path, offset);
  expect(target && textAt(target)).toBe("struct Find\n  - shade: Shade");
});

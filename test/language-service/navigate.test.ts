import { describe, expect, test } from "vitest";
import { openMarked } from "./support/marked.js";
import { shopAt } from "./support/shop.js";

describe("go to definition", () => {
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
])("go to type definition works on %s", (_, before, names) => {
  const { service, path, offset, textAt } = openMarked(
    shopAt("api.ridl", before),
  );
  const targets = service.typeDefinition(path, offset);
  expect(
    targets.map((each) => textAt({ ...each, span: each.nameSpan })),
  ).toEqual(names);
});

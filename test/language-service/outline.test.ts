import { describe, expect, test } from "vitest";
import { openMarked } from "./support/marked.js";
import { shop, shopAt } from "./support/shop.js";

const { service, textAt } = openMarked(shop);
const path = "api.ridl";
const whole = { start: 0, end: shop[path].length };

describe("symbols", () => {
  test("list declarations with their members", () => {
    const [item, service_] = service.documentSymbols(path);
    expect(
      item?.children.map(({ name, detail }) => `${name} ${detail}`),
    ).toEqual([
      "id uint32",
      "owner Address",
      "tags []string",
      "colors map<Color,uint8>",
    ]);
    const enums = service.documentSymbols("common.ridl").at(-1);
    expect(enums?.children.map(({ detail }) => detail)).toEqual([
      "blue",
      "red",
    ]);
    const [method] = service_?.children ?? [];
    expect(method?.detail).toBe("(id: uint32) => (item: Item)");
  });

  test("survive a broken line elsewhere", () => {
    const text = shop[path].replace("- owner: Address", "- owner: [");
    const { service: broken } = openMarked({ ...shop, [path]: text });
    const names = broken.documentSymbols(path).map(({ name }) => name);
    expect(names).toEqual(["Item", "Shop"]);
    expect(broken.documentSymbols(path)[0]?.children).toHaveLength(3);
  });

  test("are found by some of their letters", () => {
    const found = service.workspaceSymbols("getit");
    expect(found).toMatchObject([
      { name: "GetItem", kind: "method", container: "Shop", path },
    ]);
    expect(service.workspaceSymbols("xyz")).toEqual([]);
  });
});

test("semantic tokens classify words", () => {
  const tokens = service
    .semanticTokens(path)
    .map(({ span, type, modifiers }) =>
      [textAt({ path, span }), type, ...modifiers].join(" "),
    );
  expect(tokens).toEqual(
    expect.arrayContaining([
      "Item struct declaration",
      "uint32 type defaultLibrary",
      "Address type",
      "Color enum",
      "json property defaultLibrary",
      "auth decorator",
      "id parameter",
      "Unauthorized event",
    ]),
  );
  const text =
    "webrpc = v1\n\nstruct A\n  - old: string\n    + deprecated = true\n  - new: E\n    + deprecated = false\n\n@deprecated\nenum E: string\n  - One\n";
  const marked = openMarked({ "a.ridl": text });
  const others = marked.service.semanticTokens("a.ridl");
  const isOld = others.filter(({ modifiers }) =>
    modifiers.includes("deprecated"),
  );
  expect(isOld.map(({ span }) => text.slice(span.start, span.end))).toEqual([
    "old",
    "E",
    "E",
  ]);
  expect(others.map(({ type }) => type)).toContain("enumMember");
  const part = service.semanticTokens(path, { start: 0, end: 5 });
  expect(part.map(({ span }) => textAt({ path, span }))).toEqual(["webrpc"]);
});

test("folds declarations and consecutive comments", () => {
  const text = "# a\n# b\nstruct A\n  - id: string\n\nenum B: string\n";
  const { service: other, textAt: at } = openMarked({ "a.ridl": text });
  const ranges = other.foldingRanges("a.ridl");
  expect(ranges.map(({ span }) => at({ path: "a.ridl", span }))).toEqual([
    "# a\n# b",
    "struct A\n  - id: string",
  ]);
});

test("selections expand from a word to the document", () => {
  const { offset } = openMarked(shopAt(path, "Color,"));
  const texts = service
    .selectionRanges(path, offset)
    .map((span) => textAt({ path, span }));
  expect(texts.slice(0, 2)).toEqual(["Color", "map<Color,uint8>"]);
  expect(texts.at(-1)).toBe(shop[path]);
  const lengths = texts.map(({ length }) => length);
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
});

test("imports are links", () => {
  expect(service.documentLinks(path)).toMatchObject([{ path: "common.ridl" }]);
});

test("inlay hints show JSON names and statuses", () => {
  const hints = service.inlayHints(path, whole);
  expect(hints.map(({ label }) => label)).toEqual(['"owned_by"', "401"]);
  expect(service.inlayHints(path, { start: 0, end: 5 })).toEqual([]);
  const at = shop[path].indexOf("owner") + "owner".length;
  expect(service.inlayHints(path, { start: at, end: at })).toHaveLength(1);
  expect(service.inlayHints(path, { start: at - 9, end: at - 1 })).toEqual([]);
  const text =
    'error 1 A "a"\nerror 2 B "b" HTTP 404\n\nstruct C\n  - d: string\n    + json = -\n\nservice S\n  - E() errors A | Gone\n';
  const { service: other } = openMarked({ "a.ridl": text });
  expect(
    other
      .inlayHints("a.ridl", { start: 0, end: text.length })
      .map(({ label }) => label),
  ).toEqual(["HTTP 400", "not in JSON", "400"]);
});

describe("code lenses", () => {
  test("count references", () => {
    const titles = service.codeLenses("common.ridl").map(({ title }) => title);
    expect(titles).toEqual([
      "1 reference",
      "1 reference",
      "2 references",
      "1 reference",
    ]);
  });

  test("show changes that break existing clients", () => {
    const { service: changed } = openMarked(
      { ...shop, [path]: shop[path].replace("tags?", "labels?") },
      {
        base: {
          entries: Object.keys(shop),
          reader: {
            read: (each) => new Map(Object.entries(shop)).get(each) ?? null,
          },
          options: { isStrict: false, rules: {} },
        },
      },
    );
    expect(changed.codeLenses(path)).toContainEqual({
      span: expect.anything(),
      title: "breaks: `Item.tags` was removed from responses",
      // The field is only in the earlier version, which is not open.
      places: [],
    });
    const others = changed.codeLenses("common.ridl");
    expect(others.map(({ title }) => title).join()).not.toContain("break");
  });
});

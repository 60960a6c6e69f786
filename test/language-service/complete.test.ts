import { describe, expect, test } from "vitest";
import type { Completion } from "../../tools/editor/service/model/results.js";
import { openMarked } from "./support/marked.js";
import { shop } from "./support/shop.js";

/**
 * Returns completions at the mark in a document that is opened along with the
 * shop's documents.
 */
function completeAt(text: string): readonly Completion[] {
  const { service, path, offset } = openMarked({ "new.ridl": text, ...shop });
  return service.complete(path, offset);
}

const head =
  'webrpc = v1\nname = new\nversion = v1.0.0\n\nimport "common.ridl"\n\n';

describe("completions", () => {
  test.each([
    [
      "keywords at the start of a line",
      "st§",
      ["struct", "service"],
      ["webrpc"],
    ],
    [
      "types for a field",
      "struct A\n  - id: §",
      ["string", "Address", "map"],
      ["Unauthorized"],
    ],
    ["types in a list", "struct A\n  - id: []Co§", ["Color"], []],
    [
      "types in an unfinished map",
      "struct A\n  - id: map<Color,§",
      ["Color", "uint32"],
      [],
    ],
    ["types for an alias", "type A: §", ["string", "Color"], []],
    ["types for an enum", "enum A: §", ["string", "uint8"], ["bool", "Color"]],
    [
      "types for an argument",
      "service A\n  - Get(id: uint32, to: §",
      ["string", "Address"],
      [],
    ],
    [
      "structs for a message",
      "service A\n  - Get(§",
      ["Item"],
      ["Color", "string"],
    ],
    [
      "errors for a method",
      "service A\n  - Get() => () errors §",
      ["Unauthorized"],
      ["Item"],
    ],
    [
      "errors that are not listed yet",
      "service A\n  - Get() => () errors Unauthorized | §",
      [],
      ["Unauthorized"],
    ],
    [
      "errors that are not listed after the cursor",
      "service A\n  - Get() => () errors § | Unauthorized",
      [],
      ["Unauthorized"],
    ],
    ["words after a message", "service A\n  - Get() §", ["=>", "errors"], []],
    [
      "words after a response",
      "service A\n  - Get() => () §",
      ["errors"],
      ["=>"],
    ],
    [
      "the annotation of a declaration",
      "struct A\n  @§\n  - id: string",
      ["deprecated"],
      ["auth", "readonly"],
    ],
    [
      "annotations for a method",
      "service A\n  @§\n  - Get()",
      ["auth", "get", "readonly", "tool"],
      [],
    ],
    [
      "annotations that are not written yet",
      "service A\n  @readonly\n  @§\n  @tool\n  - Get()",
      ["auth", "get"],
      ["readonly", "tool"],
    ],
    [
      "an annotation that is already complete",
      "service A\n  @readonly§\n  - Get()",
      ["readonly"],
      [],
    ],
    [
      "credentials",
      'service A\n  @auth:"§"\n  - Get()',
      ["X-Api-Key"],
      ["none"],
    ],
    [
      "an alternative",
      'service A\n  @auth:"X-Api-Key|§"\n  - Get()',
      ["none"],
      ["X-Api-Key"],
    ],
    [
      "credentials that are not listed yet",
      'service A\n  @auth:"X-Api-Key,§"\n  - Get()',
      [],
      ["X-Api-Key"],
    ],
    [
      "parameters for a path",
      'service A\n  @get:"/{§}"\n  - Get(id: uint32) => ()',
      ["id"],
      [],
    ],
    [
      "fields for a query, after a space",
      'service A\n  @http:"PUT /{id}?note&§"\n  - Put(id: uint32, note: string) => ()',
      ["id", "note"],
      [],
    ],
    [
      "a field for a name in a query",
      'service A\n  @http:"PUT /x?limit={§}"\n  - Put(size: uint32) => ()',
      ["size"],
      [],
    ],
    [
      "HTTP methods",
      'service A\n  @http:"§"\n  - Put(id: uint32) => ()',
      ["DELETE", "PUT"],
      ["id"],
    ],
    [
      "a form as the body of a request",
      "service A\n  @§\n  - Put(item: Item) => ()",
      ["form", "requestBody"],
      [],
    ],
    [
      "the field that is the body of a request",
      "service A\n  @requestBody:§\n  - Put(item: Item) => ()",
      ["item"],
      [],
    ],
    [
      "the output that is a body",
      "service A\n  @body:§\n  - Get() => (item: Item)",
      ["item"],
      [],
    ],
    [
      "metadata for a field",
      "struct A\n  - id: string\n    + §",
      ["header", "json", "maxLength"],
      ["cookie"],
    ],
    [
      "metadata for an alias",
      "type A: string\n  + §",
      ["header", "maxLength"],
      ["json"],
    ],
    [
      "metadata that is not written yet",
      "struct A\n  - id: string\n    + json = id_\n    + §\n    + example = a",
      ["maxLength"],
      ["json", "example"],
    ],
    [
      "limits for a type",
      "type B: []Color\n\nstruct A\n  - id: B\n    + §",
      ["maxItems", "json"],
      ["maxLength", "maximum", "maxProperties"],
    ],
    [
      "values for a flag",
      "struct A\n  - id: string\n    + nullable = §",
      ["true", "false"],
      [],
    ],
    [
      "the only other form of a string",
      "type A: string\n  + accept = §",
      ["integer"],
      [],
    ],
    [
      "values of an enum",
      "struct A\n  - b: Color\n    + enum = red|§",
      ["blue"],
      ["red"],
    ],
    ["booleans of a list", "type A: bool\n  + enum = §", ["true"], []],
    ["the only format", "type A: string\n  + format = §", ["uri"], []],
    ["enums with known values", "type A: string\n  + known = §", ["Color"], []],
    [
      "errors for a credential",
      "type A: string\n  + error = §",
      ["Unauthorized"],
      [],
    ],
    [
      "errors that carry data",
      'error 7 Gone "gone"\nstruct S\ntype A: S\n  + dataOf = §',
      ["Gone"],
      ["Unauthorized"],
    ],
    ["the next free code for an error", "error §", ["1002"], []],
    ["the word before a status", 'error 1002 Gone "Gone" §', ["HTTP"], []],
    ["a status", 'error 1002 Gone "Gone" HTTP §', ["404"], []],
    [
      "paths to documents",
      'import "§"',
      ["api.ridl"],
      ["common.ridl", "new.ridl"],
    ],
    [
      "members of an import",
      'import "api.ridl"\n  - §',
      ["Item", "Shop", "Address"],
      [],
    ],
    [
      "members that are not imported yet",
      'import "api.ridl"\n  - Item\n  - §',
      ["Shop"],
      ["Item"],
    ],
    [
      "rules to silence",
      "struct A\n  #! ridl-ignore §\n  - id: string",
      ["unbounded-list"],
      [],
    ],
  ])("offers %s", (_, text, offered, missing) => {
    const labels = completeAt(head + text).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(offered));
    for (const label of missing) expect(labels).not.toContain(label);
  });

  test("offers keywords in a document that starts with an empty line", () => {
    for (const text of ["§\nname = a", "\n§", "\n\nna§"]) {
      const { service, path, offset } = openMarked({ "a.ridl": text });
      const found = service.complete(path, offset);
      expect(found.map(({ label }) => label)).toContain("struct");
      expect(found[0]?.span.end).toBe(offset);
    }
  });

  test("offers nothing for an annotation without a method", () => {
    expect(completeAt(`${head}service A\n  @body:§`)).toEqual([]);
  });

  test("adds the quotes that are missing around a path", () => {
    const texts = ["import §", 'import "§', 'import "§"'].map((text) =>
      completeAt(head + text).find(({ label }) => label === "api.ridl"),
    );
    expect(texts.map((found) => found?.text)).toEqual([
      '"api.ridl"',
      'api.ridl"',
      "api.ridl",
    ]);
  });

  test("offers nothing in the YAML form", () => {
    const { service } = openMarked({ "a.yaml": "webrpc: v1\n\n" });
    expect(service.complete("a.yaml", 11)).toEqual([]);
  });

  test("offers nothing in comments or for new names", () => {
    expect(completeAt(`${head}struct A # str§`)).toEqual([]);
    expect(completeAt(`${head}struct A\n  - na§`)).toEqual([]);
  });

  // Editors request completions after a space.
  test.each([
    ["indentation", "struct A\n  - id: string\n  §"],
    ["the type of a field", "struct A\n  - id: map<string,Color> §"],
    ["the type of an alias", "type A: []string §"],
    ["the type of an argument", "service A\n  - Get(id: uint32 §"],
    ["an import", 'import "a.ridl" §'],
  ])("offers nothing after %s and a space", (_, text) => {
    expect(completeAt(head + text)).toEqual([]);
  });

  test("offers types after a space within a type", () => {
    const text = "struct A\n  - id: map<string, §";
    const labels = completeAt(head + text).map(({ label }) => label);
    expect(labels).toContain("Color");
  });
});

test("replaces the typed text", () => {
  const text = `${head}struct A\n  - id: Addr§`;
  const found = completeAt(text).find(({ label }) => label === "Address");
  expect(text.slice(found?.span.start, found?.span.end)).toBe("Addr");
  expect(found?.docs).toBe("A checksummed address.");
});

describe("missing imports", () => {
  test.each([
    ["after the others", head, `import "common.ridl"\nimport "api.ridl"\n`],
    [
      "after the headers",
      "webrpc = v1\n\n",
      `webrpc = v1\n\nimport "api.ridl"\n\n`,
    ],
    [
      "to the names of an import",
      'webrpc = v1\n\nimport "api.ridl"\n  - Shop\n\n',
      "  - Shop\n  - Item\n",
    ],
  ])("adds a missing import %s", (_, start, expected) => {
    const found = completeAt(`${start}struct A\n  - id: It§`);
    const item = found.find(({ label }) => label === "Item");
    const [edit] = item?.edits ?? [];
    expect(item?.edits).toHaveLength(1);
    const { start: from = 0, end: to = 0 } = edit?.span ?? {};
    const after =
      start.slice(0, from) + (edit?.replacement ?? "") + start.slice(to);
    expect(after).toContain(expected);
  });

  test("does not offer types of a document that imports this one", () => {
    const { service, path, offset } = openMarked({
      ...shop,
      "common.ridl": `${shop["common.ridl"]}struct A\n  - id: §`,
    });
    const labels = service.complete(path, offset).map(({ label }) => label);
    expect(labels).toContain("Color");
    expect(labels).not.toContain("Item");
  });
});

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { printDocument } from "../../generator/1-parse/print.js";
import { codePoint } from "../../tools/test/code-point.js";
import { compact, findings, parse, withoutSpans } from "./compact.js";

const page = readFileSync(
  new URL("../../docs/ridl.md", import.meta.url),
  "utf8",
);
const example = /^```json\n([^]*?)^```$/m.exec(page)?.[1] ?? "";

const everything = {
  webrpc: "v1",
  name: "my api",
  version: "v0.0.1",
  basepath: "/{network}/rpc/",
  types: [
    {
      kind: "enum",
      name: "Kind",
      type: "uint32",
      fields: [
        { name: "A", value: "0" },
        { name: "B", value: "-1", comments: ["b"] },
      ],
    },
    {
      kind: "alias",
      name: "Address",
      type: "string",
      meta: [{ pattern: "^0x [0-9]\\d$" }, { "go.type": "x.Y" }],
      comments: ["one", "two\nthree"],
    },
    {
      kind: "struct",
      name: "Item",
      fields: [
        {
          name: "a",
          type: "map<string,[]Item>",
          optional: true,
          meta: [{ json: "b" }],
        },
      ],
    },
  ],
  errors: [
    { code: 1, name: "Bad", message: 'naïve "quotes"', httpStatus: 404 },
    { code: 2, name: "Worse", message: "w", httpStatus: 0 },
  ],
  services: [
    {
      name: "v1/Shop",
      methods: [
        {
          name: "Get",
          annotations: {
            auth: { annotationType: "auth", value: "a,b" },
            internal: { annotationType: "internal", value: "" },
          },
          comments: ["doc"],
          inputs: [{ name: "id", type: "uint64", optional: true }],
          outputs: [],
          errors: ["Bad", "Worse"],
        },
        {
          name: "Watch",
          annotations: null,
          comments: null,
          succinct: true,
          streamOutput: true,
          inputs: [{ name: "item", type: "Item", optional: false }],
          outputs: [{ name: "item", type: "Item", optional: false }],
        },
      ],
      comments: ["service"],
    },
  ],
};

const tree = [
  "webrpc = v1",
  'name = "my api"',
  "version = v0.0.1",
  'basepath = "/{network}/rpc/"',
  'enum Kind: uint32 {A = 0; B = "-1" // b}',
  'type Address: string +pattern="^0x [0-9]\\\\d$" +go.type=x.Y // one | two | three',
  "struct Item {a?: map<string,[]Item> +json=b}",
  'error 1 Bad "naïve \\"quotes\\"" HTTP 404',
  'error 2 Worse "w"',
  'service v1/Shop {@auth:"a,b" @internal Get(id?: uint64) => () errors Bad Worse // doc; Watch(*Item) => stream (*Item)} // service',
];

describe("the JSON form", () => {
  test("is accepted in any layout", () => {
    for (const space of [undefined, 1, "\t"]) {
      const text = JSON.stringify(everything, null, space);
      expect(findings(text, "a.json")).toEqual([]);
      expect(compact(text, "a.json")).toEqual(tree);
    }
  });

  test("is accepted with the same content in YAML", () => {
    const text = stringify(everything);
    expect(findings(text, "a.yaml")).toEqual([]);
    expect(compact(text, "a.yml")).toEqual(tree);
  });

  test("is accepted as shown on the language page", () => {
    expect(findings(example, "a.json")).toEqual([]);
    const { items } = parse(example, "a.json").value;
    expect(items.map(({ kind }) => kind)).toEqual([
      ...["header", "header", "header", "header"],
      ...["struct", "error", "service"],
    ]);
  });

  test("is printed as RIDL that parses to the same tree", () => {
    const { value } = parse(JSON.stringify(everything), "a.json");
    const printed = printDocument(value);
    expect(findings(printed)).toEqual([]);
    // RIDL cannot say which keys of a method its JSON form lacks.
    const complete: unknown = JSON.parse(
      JSON.stringify(withoutSpans(value), (key, each: unknown) =>
        key === "absent" ? undefined : each,
      ),
    );
    expect(withoutSpans(parse(printed).value)).toEqual(complete);
    expect(printed).toContain("# service\nservice v1/Shop\n  # doc\n");
  });

  test("may contain versions that YAML parses as numbers", () => {
    expect(compact("webrpc: v1\nversion: 1.0", "a.yaml")).toEqual([
      "webrpc = v1",
      "version = 1.0",
    ]);
  });
});

const wrong: Record<string, [text: string, found: string[]]> = {
  "not JSON": ['{"name": "a",\n "b" 1}', ['error invalid-yaml "1"']],
  "a list": ["[]", ['error invalid-form "[]"']],
  nothing: ["", ['error invalid-form ""']],
  "two documents": ["name: a\n---\nname: b", ['error invalid-yaml "-"']],
  "an unknown key": [
    '{"nmae": "a", "types": [{"kind": "struct", "name": "A", "feilds": []}]}',
    ['warning unknown-key "nmae"', 'warning unknown-key "feilds"'],
  ],
  "a duplicate key": [
    '{"name": "a", "name": "b"}',
    ['error invalid-form "name"'],
  ],
  "wrong shapes": [
    '{"name": [], "types": {}, "errors": [1, {"code": 1}], "services": [{"name": "S", "methods": [{"name": "M", "inputs": "x", "succinct": "yes"}]}]}',
    [
      'error invalid-form "[]"',
      'error invalid-form "{}"',
      'error invalid-form "1"',
      'error invalid-form "{"',
      'error invalid-form "{"',
      'error invalid-form "yes"',
      'error invalid-form "x"',
    ],
  ],
  "an unknown kind": [
    '{"types": [{"kind": "message", "name": "A"}]}',
    ['error invalid-form "message"'],
  ],
  "an invalid type": [
    '{"types": [{"kind": "alias", "name": "A", "type": "map<string>"}, {"kind": "alias", "name": "B", "type": "int # x"}]}',
    ['error missing-type ">"', 'error invalid-form " # x"'],
  ],
  "a type with escapes": [
    '{"types": [{"kind": "alias", "name": "A", "type": "in\\u0074"}]}',
    ['error invalid-form "\\"in\\\\u0074\\""'],
  ],
  "anchors and aliases": [
    "name: &a x\nversion: *a",
    ['error invalid-form "x"', 'error invalid-form "*a"'],
  ],
  "endless nesting": ["[".repeat(100_000), ['error deep-nesting ""']],
  "unbounded nesting in blocks": [
    "- ".repeat(100_000),
    ['error deep-nesting ""'],
  ],
};

describe("finds", () => {
  test.each(Object.entries(wrong))("%s", (_name, [text, found]) => {
    expect(findings(text, "a.yaml")).toEqual(found);
  });
});

describe("the parser", () => {
  function expectSound(text: string): void {
    const { value, diagnostics } = parse(text, "a.json");
    for (const { location } of diagnostics) {
      expect(location?.span.end).toBeLessThanOrEqual(text.length);
    }
    expect(typeof printDocument(value)).toBe("string");
  }

  test("does not throw on random text or random JSON", () => {
    fc.assert(fc.property(fc.string({ unit: codePoint }), expectSound));
    fc.assert(
      fc.property(fc.json(), (text) => {
        expectSound(text);
        expectSound(`{"types": ${text}, "services": [${text}]}`);
      }),
    );
  });

  test("does not throw on a form with a part removed or replaced", () => {
    const text = JSON.stringify(everything, null, 1);
    const yaml = stringify(everything);
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(20),
        fc.string({ maxLength: 3 }),
        (at, length, piece) => {
          for (const whole of [text, yaml]) {
            const start = at % whole.length;
            expectSound(
              whole.slice(0, start) + piece + whole.slice(start + length),
            );
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import {
  hashSchema,
  printSchemaJson,
  printSchemaRidl,
  toSchemaJson,
} from "../../tools/schema-json/index.js";
import type * as ast from "../../generator/1-parse/ast.js";
import { parseDocument } from "../../generator/1-parse/load/parse-document.js";
import {
  metadataKeys,
  methodAnnotations,
} from "../../generator/2-check/notation/notation.js";
import { scalarNames } from "../../generator/ir/scalars.js";
import { lowerContract } from "../../generator/3-lower/index.js";
import { arbitraryDocument, head } from "../support/arbitrary-documents.js";
import { checkDocuments } from "../support/check-documents.js";

/** A document that contains everything that a mistake replaces. */
const valid = `webrpc = v1
name = a
${head}
service v1/V
  - M(OwnStruct) => (OwnStruct) errors OwnError
`;

/** Mistakes, as replacements of text in a document without errors. */
const mistakes = [
  ["struct OwnStruct", "struct ownStruct"],
  ["struct OwnStruct", "struct Own-Struct"],
  ["  - a: string", "  - a: Strin"],
  ["  - a: string", "  - _a: string"],
  ["  - a: string", "  - a: string\n  - A: string"],
  ["  - a: string", "  - a: string\n    + json = -x"],
  ["  - a: string", "  - a: string\n    + json = a,omitempty"],
  ["  - a: string", "  - a: string\n    + minimum = 1"],
  ["  - a: string", '  - a: string\n    + pattern = "^("'],
  ["  - a: string", "  - a: string\n    + maxLenght = 3"],
  ["  - a: string", "  - a: []string\n    + minItems = 3\n    + maxItems = 2"],
  ["  - a: string", "  - a: map<bool,string>"],
  ["enum OwnEnum: uint8", "enum OwnEnum: bool"],
  ["  - ONE", "  - ONE\n  - ONE"],
  ["  - ONE", "  - ONE = 300"],
  ["  - ONE", "  - ONE = 01\n  - TWO = 1"],
  ["error 1 ", "error 0 "],
  ["error 1 ", "error 99999999999 "],
  ["HTTP 404", "HTTP 200"],
  ['OwnError "own"', 'OwnError ""'],
  ["error 1 OwnError", "error 1 ownError"],
  ["type OwnAlias: string", "type OwnAlias: OwnAlias"],
  ["webrpc = v1", "webrpc = v2"],
  ["version = v1.2.3", 'version = ""'],
  ["basepath = /v1//rpc", 'basepath = "a b"'],
  ["service v1/V", "service v1//V"],
  ["errors OwnError", "errors OwnEror"],
  ["(OwnStruct) => (OwnStruct)", "(OwnEnum) => (OwnStruct)"],
] as const;

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

/** Returns the contract and the diagnostics of a document without its path. */
function meaningOf(path: string, source: string) {
  const { value, diagnostics } = checkDocuments([path], {
    read: (asked) => (asked === path ? source : null),
  });
  const [host] = value.hosts;
  const hasErrors = diagnostics.some(({ severity }) => severity === "error");
  const contract = hasErrors ? null : lowerContract(value);
  return {
    json: host && printSchemaJson(toSchemaJson(value, host)),
    found: diagnostics
      .map(({ code, message, severity }) => `${severity} ${code}: ${message}`)
      .sort(),
    contract: JSON.stringify(contract, (key, each: unknown) => {
      if (typeof each === "bigint") return String(each);
      if (key === "document") return "";
      // webrpc's form sorts them.
      if (key === "annotations" && Array.isArray(each)) {
        return each.map((annotation) => JSON.stringify(annotation)).sort();
      }
      // RIDL documents group types by kind.
      if (key !== "types" || !Array.isArray(each)) return each;
      return each.map((type) => JSON.stringify(Object.entries(type))).sort();
    }),
  };
}

test("the same document as RIDL and as JSON has the same diagnostics and contract", () => {
  const mistake = fc.option(fc.constantFrom(...mistakes));
  fc.assert(
    fc.property(arbitraryDocument, mistake, (source, chosen) => {
      const text = chosen ? source.replace(chosen[0], chosen[1]) : source;
      const { json, ...ridl } = meaningOf("a.ridl", text);
      if (json === undefined) return;
      const { json: again, ...form } = meaningOf("a.json", json);
      expect(form).toEqual(ridl);
      expect(again).toBe(json);
    }),
    { numRuns: 400 },
  );
});

/** Every kind of node. Only several documents can import each other. */
const drawnKinds: Readonly<
  Record<
    (
      | ast.Item
      | ast.Annotation
      | ast.Argument
      | ast.EnumMember
      | ast.Field
      | ast.Message
      | ast.Metadata
      | ast.Method
      | ast.TypeExpression
    )["kind"],
    true
  >
> = {
  alias: true,
  annotation: true,
  argument: true,
  enum: true,
  "enum-member": true,
  error: true,
  field: true,
  header: true,
  import: true,
  list: true,
  map: true,
  message: true,
  metadata: true,
  method: true,
  name: true,
  service: true,
  struct: true,
};

test("documents contain every construct of the language", () => {
  const drawn = fc.sample(arbitraryDocument, { numRuns: 300, seed: 1 });
  const found = new Set<unknown>();
  const collect = (key: string, value: unknown): unknown => {
    if (key === "kind" || key === "isStream") found.add(value);
    if (key === "text") found.add(value);
    if (key === "isOptional" && value === true) found.add("?");
    return value;
  };
  for (const text of drawn) {
    const { items } = parseDocument({ path: "a.ridl", text }).value;
    JSON.stringify(items, collect);
  }
  const constructs = [
    ...Object.keys(drawnKinds).filter((kind) => kind !== "import"),
    ...["?", true],
    ...scalarNames,
    ...metadataKeys.keys(),
    ...methodAnnotations,
  ];
  expect(constructs.filter((each) => !found.has(each))).toEqual([]);
});

test.each(mistakes)(
  "replacing %j with %j is a mistake in both forms",
  (from, to) => {
    const source = valid.replace(from, to);
    const ridl = meaningOf("a.ridl", source);
    const { found } = meaningOf("a.json", ridl.json ?? "");
    expect(ridl.found).not.toEqual([]);
    expect(found).toEqual(ridl.found);
  },
);

/** Returns a document whose method has these arguments. */
function formOf(...inputs: readonly object[]): string {
  const method = { name: "M", inputs, outputs: [] };
  return `${JSON.stringify(
    {
      webrpc: "v1",
      name: "a",
      version: "v1.0.0",
      basepath: "/rpc/",
      types: [],
      errors: [],
      services: [{ name: "A", methods: [method] }],
    },
    null,
    1,
  )}\n`;
}

test("metadata of an argument has the same meaning as that of a field", () => {
  const meta = [{ json: "counter" }, { maximum: "5" }, { "x.y": "z" }];
  const source = formOf(
    { name: "count", type: "int32", optional: false, meta },
    { name: "left", type: "string", optional: true, meta: [{ json: "-" }] },
  );
  const { value, diagnostics } = checkDocuments(["a.json"], {
    read: () => source,
  });
  expect(diagnostics).toEqual([]);
  const [host] = value.hosts;
  if (host === undefined) return expect.unreachable("no host");
  const [service] = lowerContract(value).hosts[0]?.services ?? [];
  expect(service?.methods[0]?.request.fields).toMatchObject([
    { name: "count", jsonName: "counter", constraints: { maximum: 5 } },
  ]);
  const [written] = toSchemaJson(value, host).services;
  expect(written?.methods[0]?.inputs).toMatchObject([{ meta }, {}]);
  // RIDL cannot give an argument two names.
  expect(printSchemaRidl(value, host)).toContain("- M(counter: int32) =>");
});

const count = { name: "count", type: "int32", optional: false };

test.each([
  ["invalid-json-name", { ...count, meta: [{ json: "a b" }] }],
  ["not-portable", { ...count, meta: [{ json: "a,omitempty" }] }],
  ["invalid-metadata-value", { ...count, meta: [{ maximum: "x" }] }],
  ["misplaced-constraint", { ...count, meta: [{ maxLength: "1" }] }],
  ["misplaced-key", { ...count, meta: [{ known: "1" }] }],
  [
    "duplicate-metadata",
    { ...count, meta: [{ maximum: "1" }, { maximum: "2" }] },
  ],
  [
    "contradicting-constraints",
    { ...count, meta: [{ minimum: "2" }, { maximum: "1" }] },
  ],
  ["unknown-metadata", { ...count, meta: [{ maximun: "1" }] }],
  ["duplicate-json-name", { ...count, meta: [{ json: "other" }] }],
  ["invalid-form", { ...count, meta: [{ "k k": "1" }] }],
])("%s is also reported for an argument", (code, argument) => {
  const other = { name: "other", type: "int32", optional: false };
  const { found } = meaningOf("a.json", formOf(argument, other));
  expect(found.map((each) => each.split(/[ :]/u)[1])).toEqual([code]);
});

test("a round trip from RIDL to JSON or YAML and back changes nothing", () => {
  fc.assert(
    fc.property(arbitraryDocument, (source) => {
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

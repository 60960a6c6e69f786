import fc from "fast-check";
import { expect, test } from "vitest";
import { httpFileEmitter } from "../../generator/4-emit/http-file/http-file.js";
import { compileContract } from "../../generator/compile.js";
import { allMethods } from "../../generator/ir/methods-of.js";
import { wireOf } from "../../generator/http/wire-of.js";
import {
  encodeValue,
  writeForm,
  writeQuery,
} from "../../generator/http/write-request.js";
import {
  fillParameters,
  printBracketForm,
  printForm,
  printQuery,
} from "../../runtime/typescript/client/address.js";

const lines = [
  "webrpc = v1",
  "name = a",
  "version = v1.0.0",
  "type Ids: []uint64",
  "  + minItems = 2",
  "service A",
  '  @get:"/items/{ids}?at={ids2,}&name&big={n}&fixed=true"',
  "  - Get(ids: Ids, ids2: []string, name: []string, n?: uint64)",
  "",
];

function compile() {
  const { value, diagnostics } = compileContract(["a.ridl"], {
    read: () => lines.join("\n"),
  });
  const [method] = allMethods(value?.hosts ?? []);
  if (value === null || method === undefined) {
    throw new Error(JSON.stringify(diagnostics));
  }
  return { contract: value, method };
}

const text = fc.string({ unit: "grapheme" });

test("writes a query as clients do", () => {
  const { request } = wireOf(compile().method);
  const message = fc.record({
    ids2: fc.array(text.map((each) => each.replaceAll(",", ""))),
    name: fc.array(text),
    n: fc.option(fc.nat(), { nil: undefined }),
  });
  fc.assert(
    fc.property(message, (given) => {
      const fields = new Map(Object.entries(given));
      const pairs = writeQuery(request, ({ jsonName }) => fields.get(jsonName));
      const query = { at: "ids2", name: "name", big: "n", fixed: ["true"] };
      const sent = printQuery(query, given, ["at"]);
      expect(`?${pairs.join("&")}`).toBe(sent);
    }),
    { numRuns: 1000 },
  );
});

test("writes the items of a list in a path as clients do", () => {
  const ids = ["a b", "ü", "%"];
  expect(encodeValue(ids)).toBe(fillParameters("{ids}", { ids }));
});

test.each([
  ["repeated", printForm],
  ["bracketed", printBracketForm],
] as const)("writes a form with %s lists as clients do", (list, print) => {
  const value = { a: ["x", "y"], b: { c: 1, d: [true] }, e: [{ f: "&=" }] };
  expect(writeForm(value, { kind: "form", list })).toBe(print(value));
});

test("request files have commas between the items of a list in a path", () => {
  const { contract } = compile();
  const options = { int64: "number", timestamp: "string" } as const;
  const [file] = httpFileEmitter.emit(contract, {
    ...options,
    runtime: "import",
    importExtension: ".js",
  });
  // A list without items is not in a query.
  expect(file?.text).toMatch(/^GET \{\{baseUrl\}\}\/items\/1,2\?/mu);
});

import { expect, test } from "vitest";
import { checkDocuments } from "../support/check-documents.js";

/** Returns the code of each finding and the text that it points to. */
function findings(files: Readonly<Record<string, string>>): readonly string[] {
  const entries = Object.keys(files).filter((path) => /\bhost/u.test(path));
  const { diagnostics } = checkDocuments(entries, {
    read: (path) => files[path] ?? null,
  });
  return diagnostics.map(({ code, location }) => {
    const { start, end } = location?.span ?? { start: 0, end: 0 };
    return `${code}: ${location?.source.text.slice(start, end) ?? ""}`;
  });
}

const head = "webrpc = v1\nname = a\nversion = v1\n";

test.each([
  [
    "an annotation without a name",
    "service S\n  @a @\n  - M()\n",
    ["missing-name: "],
  ],
  [
    "an import member without a name",
    'import "b.ridl"\n  -\n  - B\n',
    ["missing-value: "],
  ],
  [
    "map keys of every invalid kind",
    "struct A\n  - a: map<[]int,int>\n  - b: map<L,int>\n  - c: map<M,int>\n  - d: map<bool,int>\ntype L: []int\ntype M: map<string,int>\n",
    [
      "invalid-map-key: []int",
      "invalid-map-key: L",
      "invalid-map-key: M",
      "invalid-map-key: bool",
    ],
  ],
  [
    "limits on types that support none, and on an unknown type",
    "enum E: int\n  - A\nstruct S\n  - a: bool\n    + minimum = 1\n  - b: E\n    + minLength = 1\n  - c: S2\n    + minItems = 1\n  - d: Gone\n    + maxItems = 1\nstruct S2\n",
    [
      "misplaced-constraint: minimum",
      "misplaced-constraint: minLength",
      "misplaced-constraint: minItems",
      "unknown-type: Gone",
    ],
  ],
  [
    "`accept` on an unknown type, on an integer, and with an invalid value",
    "type A: Gone\n  + accept = integer\ntype B: int\n  + accept = integer\ntype C: string\n  + accept = float\n",
    ["unknown-type: Gone", "invalid-accept: accept", "invalid-accept: float"],
  ],
  [
    "path parameters of an unknown type, and of types that a path cannot contain",
    'service S\n  @get:"/a/{b}"\n  - M(b: []Gone)\n  @get:"/c/{b}"\n  - N(b: [][]int)\n  @get:"/d/{b}"\n  - O(b: map<string,int>)\n  @get:"/e/{b}/{c}"\n  - P(b: []E, c: any)\nenum E: int\n  - A\n',
    [
      "unknown-type: Gone",
      'invalid-rest-path: "/c/{b}"',
      'invalid-rest-path: "/d/{b}"',
      'invalid-rest-path: "/e/{b}/{c}"',
    ],
  ],
  [
    "a credential without its header, and a credential that is not a string",
    'error 1 Denied "denied"\ntype A: string\n  + scheme = Bearer\n  + error = Denied\ntype B: int\n  + header = X-B\n  + error = Denied\n',
    ["invalid-credential: scheme", "invalid-credential: int"],
  ],
])("%s", (_name, text, expected) => {
  const files = { "host.ridl": head + text, "b.ridl": `${head}struct B\n` };
  expect(findings(files)).toEqual(expected);
});

test("rejects hosts without names if their files have the same name", () => {
  const text = (name: string): string =>
    `webrpc = v1\nversion = v1\nservice ${name}\n  - M()\n`;
  const files = { "a/host.ridl": text("A"), "b/host.ridl": text("B") };
  expect(findings(files)).toEqual(["duplicate-host: "]);
});

test("accepts a host and an imported JSON document, neither of which has a name", () => {
  const files = {
    "host.ridl": "webrpc = v1\nimport b.json\n  - B\nstruct A\n  - b: B\n",
    "b.json": `{"webrpc":"v1","types":[{"kind":"struct","name":"B"}]}`,
  };
  expect(findings(files)).toEqual([]);
});

test.each([
  [
    "a succinct method with two arguments, or with a list",
    `[{"name":"M","succinct":true,"inputs":[{"name":"a","type":"A"},{"name":"b","type":"A"}],"outputs":[{"name":"a","type":"[]A"}]}]`,
    [
      `invalid-form: [{"name":"a","type":"A"},{"name":"b","type":"A"}]`,
      `invalid-form: [{"name":"a","type":"[]A"}]`,
    ],
  ],
  [
    "annotations that are a list or have an invalid form",
    `[{"name":"M","annotations":[1],"inputs":[],"outputs":[]},{"name":"N","annotations":{"a":1},"inputs":[],"outputs":[]}]`,
    ["invalid-form: [1]", "invalid-form: 1"],
  ],
  [
    "arguments without names or types",
    `[{"name":"M","inputs":[{"type":"A"},{"name":"b"}],"outputs":[{}]}]`,
    [
      "invalid-form: {",
      "invalid-form: {",
      "invalid-form: {",
      "invalid-form: {",
    ],
  ],
  [
    "a method without a name",
    `[{"inputs":[],"outputs":[]}]`,
    ["invalid-form: {"],
  ],
])("checks JSON: %s", (_name, methods, expected) => {
  const text = `{"webrpc":"v1","name":"a","version":"v1","types":[{"kind":"struct","name":"A"}],"services":[{"name":"S","methods":${methods}}]}`;
  expect(findings({ "host.json": text })).toEqual(expected);
});

import { describe, expect, test } from "vitest";
import type { Fix } from "../../generator/diagnostics/diagnostic.js";
import { compact, findings, format, parse } from "./compact.js";

type Case = [source: string, found: string[], tree: string[]];

/** Sources with findings, and the trees that remain. */
const cases: Record<string, Case> = {
  "a byte order mark": [
    "\ufeffname = x",
    ['warning byte-order-mark "\ufeff"'],
    ["name = x"],
  ],
  "a NUL character": [
    "struct A\n\0struct B",
    ['warning nul-character "\\u0000"'],
    ["struct A {}"],
  ],
  "a NUL character in a string": [
    'name = "a\0b"\nstruct A',
    ['warning nul-character "\\u0000"', 'error unclosed-string "\\""'],
    ['name = "a"'],
  ],

  "a word after a method": [
    "service S\n - A() => (a: bool) garbage # doc\n - B()",
    ['warning trailing-text "garbage"'],
    ["service S {A() => (a: bool) // doc; B() => ()}"],
  ],
  "`errors` without names": [
    "service S\n - A() errors",
    ['error missing-name ""'],
    ["service S {}"],
  ],
  "two words after a method": [
    "service S\n - A() => (a: bool) garbage more\n - B()",
    ['error unexpected-token "garbage"'],
    ["service S {A() => (a: bool); B() => ()}"],
  ],
  "a mistyped `errors`": [
    "service S\n - A() error X",
    ['error unexpected-token "error"'],
    ["service S {A() => ()}"],
  ],
  "a token after a succinct method": [
    "service S\n - A(Req) => (Resp);",
    ['warning trailing-text ";"'],
    ["service S {A(*Req) => (*Resp)}"],
  ],
  "error names without spaces": [
    "service S\n - A() errors X|Y | Z",
    ['error error-separator "X|Y"'],
    ["service S {A() => () errors X Y Z}"],
  ],
  "error names with commas": [
    "service S\n - A() errors X, Y",
    ['error error-separator ","'],
    ["service S {A() => () errors X Y}"],
  ],

  "a space before a colon": [
    "struct A\n - a : int",
    ['warning not-portable " "'],
    ["struct A {a: int}"],
  ],
  "a space before a question mark": [
    "struct A\n - a ?: int",
    ['warning not-portable " "'],
    ["struct A {a?: int}"],
  ],
  "a space before the colon of an enum": [
    "enum K : int",
    ['warning not-portable " "'],
    ["enum K: int {}"],
  ],
  "a comment directly after a type": [
    "struct A\n - a: string# c",
    ['warning not-portable "#"'],
    ["struct A {a: string // c}"],
  ],
  "a succinct method without spaces": [
    "service S\n - A(Req)=>(Resp)",
    ['warning not-portable "=>"', 'warning not-portable "("'],
    ["service S {A(*Req) => (*Resp)}"],
  ],
  "spaces within a succinct form": [
    "service S\n - A( Req ) => (Resp)",
    ['warning not-portable " "', 'warning not-portable " "'],
    ["service S {A(*Req) => (*Resp)}"],
  ],
  "a space before arguments": [
    "service S\n - A (a: int)",
    ['warning not-portable " "'],
    ["service S {A(a: int) => ()}"],
  ],
  "a negative value without quotes": [
    "enum K: int\n - A = -1",
    ['warning not-portable "-1"'],
    ['enum K: int {A = "-1"}'],
  ],
  "annotations without a space between them": [
    'service S\n @a:"x"@b\n - A()',
    ['warning not-portable "@"'],
    ['service S {@a:"x" @b A() => ()}'],
  ],
  "no line break after a head": [
    "enum K: int - A",
    ['warning not-portable "-"'],
    ["enum K: int {A}"],
  ],
  "two errors on one line": [
    'error 1 A "a" error 2 B "b"',
    ['warning not-portable "error"'],
    ['error 1 A "a"', 'error 2 B "b"'],
  ],

  "an annotation value with a comma": [
    "service S\n @auth:a,b\n - A()",
    ['error unquoted-value "a,b"'],
    ['service S {@auth:"a,b" A() => ()}'],
  ],
  "a header value with spaces": [
    "name = my api # c\nversion = v1",
    ['error unquoted-value "my api"'],
    ['name = "my api" // c', "version = v1"],
  ],
  "a header value with other characters": [
    "name = a:b",
    ['error unquoted-value "a:b"'],
    ['name = "a:b"'],
  ],
  "a metadata value with spaces": [
    "struct A\n - a: int\n  + title = an address # c\n - b: int",
    ['error unquoted-value "an address"'],
    ['struct A {a: int +title="an address"; b: int}'],
  ],
  "an error text with spaces": [
    "error 1 A Not here HTTP 404",
    ['error unquoted-value "Not here"'],
    ['error 1 A "Not here" HTTP 404'],
  ],
  "a status without HTTP": [
    'error 1 A "a" 404',
    ['error unexpected-token "404"'],
    ['error 1 A "a" HTTP 404'],
  ],
  "an unknown escape": [
    'name = "a\\d"',
    ['error unknown-escape "\\\\d"'],
    ['name = "a\\\\d"'],
  ],
  "an unclosed string": [
    'name = "abc\nversion = v1',
    ['error unclosed-string "\\""'],
    ['name = "abc"', "version = v1"],
  ],

  "the keyword `message`": [
    "message A\n - a: int",
    ['error renamed-keyword "message"'],
    ["struct A {a: int}"],
  ],
  "a mistyped keyword": [
    "strct A\n - a: int\n   + json = b\nstruct B",
    ['error unknown-keyword "strct"'],
    ["struct B {}"],
  ],
  inheritance: [
    "struct A extends B\n - a: int",
    ['error unexpected-token "extends"'],
    ["struct A {a: int}"],
  ],
  braces: [
    "struct A {\n  a: int;\n}\nstruct B {\n  - b: int\n}",
    ['error unexpected-token "{"', 'error unexpected-token "{"'],
    ["struct A {}", "struct B {b: int}"],
  ],
  "members without a declaration": [
    "- a: int\n- b: int\nstruct A",
    ['error unexpected-token "-"'],
    ["struct A {}"],
  ],
  "a comment in another language's syntax": [
    "// hello there\nstruct A",
    ['error unexpected-token "/"'],
    ["struct A {}"],
  ],

  "missing names": [
    "struct\n - a: int\nenum : int\n - A\ntype : int\nerror 1\nservice\n - A()",
    [
      'error missing-name ""',
      'error missing-name ":"',
      'error missing-name ":"',
      'error missing-name ""',
      'error missing-value ""',
    ],
    [],
  ],
  "missing types": [
    "struct A\n - a\n - b:\n - c: []\n - d: map<string>\n - e: map<,int>\n - f: int\ntype T",
    [
      'error missing-type ""',
      'error missing-type ""',
      'error missing-type ""',
      'error missing-type ">"',
      'error missing-type ","',
      'error missing-type ""',
    ],
    ["struct A {f: int}", "type T: "],
  ],
  "missing values": [
    "name =\nversion\nstruct A\n - a: int\n  + json =\n  + json\n  + k = v",
    [
      'error missing-value ""',
      'error missing-value ""',
      'error missing-value ""',
      'error missing-value ""',
    ],
    ["struct A {a: int +k=v}"],
  ],
  "a header key that is not a keyword": [
    "titel = x",
    ['error unknown-keyword "titel"'],
    [],
  ],
  "an enum of lists": [
    "enum K: []int\n - A",
    ['error unexpected-token "[]int"'],
    ["enum K:  {A}"],
  ],
  "list syntax from other languages": [
    "struct A\n - a: string[][]\n - b: Array<string>\n - c: [string]\n - d?: int?",
    [
      'error unexpected-token "[][]"',
      'error unexpected-token "<"',
      'error unclosed-bracket "string"',
      'error unexpected-token "?"',
    ],
    ["struct A {a: [][]string; d?: int}"],
  ],
  "default values": [
    "struct A\n - a: int = 5\n - b: int",
    ['error unexpected-token "="'],
    ["struct A {a: int; b: int}"],
  ],
  "metadata under a method and an enum member": [
    "enum K: int\n - A\n  + json = a\n - B\nservice S\n - A()\n  + x = y",
    ['error misplaced-metadata "+"', 'error misplaced-metadata "+"'],
    ["enum K: int {A; B}", "service S {A() => ()}"],
  ],
  "metadata under a broken field": [
    "struct A\n - a = b\n  + json = c\n - d: int",
    ['error missing-type "="'],
    ["struct A {d: int}"],
  ],
  "a missing colon": [
    "struct A\n - a bool # c\nenum K uint8\n - B\ntype T map<int,int>\nservice S\n - M(a int, b?: int)",
    [
      'error missing-type "bool"',
      'error missing-type "uint8"',
      'error missing-type "map"',
      'error missing-type "int"',
    ],
    [
      "struct A {a: bool // c}",
      "enum K: uint8 {B}",
      "type T: map<int,int>",
      "service S {M(a: int, b?: int) => ()}",
    ],
  ],
  "two names for one type": [
    "service S\n - M(a b: int)\n - N()",
    ['error missing-type "b"'],
    ["service S {N() => ()}"],
  ],

  "an arrow from another language": [
    "service S\n - A() -> (a: int)\n - B()",
    ['error unexpected-token "->"'],
    ["service S {B() => ()}"],
  ],
  "arguments without types": [
    "service S\n - A(a, b)\n - B(a: ) => ()",
    ['error missing-type ","', 'error missing-type ")"'],
    ["service S {}"],
  ],
  "missing parentheses": [
    "service S\n - A\n - B(a: int\n - C(a: int => ()\n - D() => int\n - E()",
    [
      'error unclosed-bracket ""',
      'error unclosed-bracket ""',
      'error unclosed-bracket "=>"',
      'error unclosed-bracket "int"',
    ],
    ["service S {E() => ()}"],
  ],
  "an argument list on several lines": [
    "service S\n - A(\n  a: int,\n  b: int\n ) => (\n  c: int)\n - B()",
    ['error line-break ""', 'error line-break ""'],
    ["service S {A(a: int, b: int) => (c: int); B() => ()}"],
  ],
  "methods named like modifiers": [
    "service S\n - stream()\n - proxy(a: int)",
    ['error reserved-name "stream"', 'error reserved-name "proxy"'],
    ["service S {stream() => (); proxy(a: int) => ()}"],
  ],
  "annotations that belong to nothing": [
    "service S\n - A()\n @end\nname = x\n@last",
    [
      'warning dangling-annotation "@end"',
      'warning dangling-annotation "@last"',
    ],
    ["service S {A() => ()}", "name = x"],
  ],
  "annotations on enum members": [
    "enum K: int\n @a\n - A",
    ['warning dangling-annotation "@a"'],
    ["enum K: int {A}"],
  ],
};

describe("finds", () => {
  test.each(Object.entries(cases))("%s", (_name, [source, found, tree]) => {
    expect(findings(source)).toEqual(found);
    expect(compact(source)).toEqual(tree);
  });
});

test("every fix removes the fault and adds no finding", () => {
  const sources = Object.values(cases).map(([source]) => source);
  const fixable = sources.filter((source) => fixesOf(source).length > 0);
  expect(fixable.length).toBeGreaterThan(20);
  for (const source of fixable) {
    const fixed = applyFixes(source);
    const left = findings(source).length - fixesOf(source).length;
    expect([fixed, fixesOf(fixed)]).toEqual([fixed, []]);
    expect([fixed, findings(fixed).length]).toEqual([fixed, left]);
  }
});

test("the formatter writes only text that other parsers accept", () => {
  const sources = Object.values(cases).map(([source]) => format(source));
  const odd = sources.flatMap((text) => findings(text));
  expect(odd.filter((text) => text.includes("not-portable"))).toEqual([]);
});

function fixesOf(text: string): Fix[] {
  return parse(text).diagnostics.flatMap(({ fix }) => fix ?? []);
}

/** Applies fixes from last to first so that positions stay valid. */
function applyFixes(text: string): string {
  return fixesOf(text)
    .sort((a, b) => b.location.span.start - a.location.span.start)
    .reduce((fixed, { location: { span }, replacement }) => {
      return fixed.slice(0, span.start) + replacement + fixed.slice(span.end);
    }, text);
}

test("limits the nesting of lists, maps, and arguments", () => {
  const list = `struct A\n - a: ${"[]".repeat(100_000)}int\n - b: int`;
  expect(findings(list)).toEqual(['error deep-nesting "["']);
  const map = `service S\n - A(a: ${"map<string,".repeat(100_000)})\n - B()`;
  expect(findings(map)).toEqual(['error deep-nesting "string"']);
  expect(compact(map)).toEqual(["service S {B() => ()}"]);
  expect(findings(`type T: ${"[]".repeat(64)}int`)).toEqual([]);
});

test("five mistakes cause five findings", () => {
  const source = `webrpc = v1
name = two words
struct Order
  - id: uint64
  - price bigint
  - tags: string[]
enum Side uint8
  - Buy
service Orders
  - Get(id: uint64 => (order: Order)
  - List() => (orders: []Order)
`;
  expect(findings(source)).toEqual([
    'error unquoted-value "two words"',
    'error missing-type "bigint"',
    'error unexpected-token "[]"',
    'error missing-type "uint8"',
    'error unclosed-bracket "=>"',
  ]);
});

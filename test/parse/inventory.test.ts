import { describe, expect, test } from "vitest";
import { findings } from "./compact.js";

/**
 * The topics of webrpc's own parser tests, with our own inputs. The inputs in
 * `read` are accepted. Each input in `refused` is rejected with exactly one
 * error.
 */
const read: Record<string, string[]> = {
  values: [
    "webrpc=v1",
    "version = v1.2.3-rc.1",
    "name = under_score/slash",
    'name = "quoted # not a comment"',
    'name = "abc\\""',
    'name = " \\n ABC \\" DEF "',
    "basepath = rpc",
    "basepath = //v1//",
  ],
  imports: [
    "import",
    "import # nothing yet\n\n",
    "import\n\n  # between\n\n  -foo\n  - foo/bar.ridl # c\n",
    "import ../up.ridl",
    'import\n  - "a b.ridl"\n  - "c#d.ridl" # c',
    "import a.ridl\n  - M1\n\n  # c\n  - M2",
  ],
  enums: [
    "enum K:uint32\n\n  # c\n\n  - A=1\n  # c\n  - B\n  - C = v1.2\n",
    'enum K: string\n  - A = "with space"',
  ],
  structs: [
    "struct A\n\n\n",
    "struct A\n  - a:[]map<uint64,map<string,[]bool>>",
    'struct A\n  - a: any\n    + go.tag.json = -\n    + validate = required,email\n    + x.1.y = "a = b"',
    "struct A\n  - A1_b: int\n  -c?:bool",
  ],
  services: [
    "service A\nservice B # c\n",
    "service A\n  - _under_score()\n  - M(a?: int)=>(b?: int)\n",
    "service A\n  - stream M(a: int) => stream (b: int) # c",
    "service A\n  - proxy B.Method # c",
    "service A\n  - M(Req) => (Resp) errors E\n  - N() errors E\n",
  ],
  comments: [
    "#",
    "##\n# # #\n#!\n",
    "service A\n  # https://example.com/#a#b\n  #! private\n  - M()",
    "# ünïcödé 漢字",
  ],
};

const refused: Record<string, string[]> = {
  values: [
    "webrpc === v1",
    "webrpc => v1",
    "webrpc v1",
    "name =",
    "name = a b",
    "name = (a)",
    "name = {a}",
    'name = "a',
    'name = "a" b',
    "=",
    "...===>=>",
  ],
  errors: [
    "error",
    "error 1",
    "error 1 Name",
    'error 1 "Name" text',
    'error 1 Name "text" HTTP',
    'error 1 Name "text" HTTP "400"',
    'error 1 Name "text" 400',
    'error 1 Name "text" HTTP 400 more',
    "error 1 Name several words",
  ],
  imports: ["import $", "import\n  -", "import a.ridl\n  -", "import a.ridl b"],
  enums: ["enum", "enum K", "enum K:", "enum : int", "enum K: int\n  -"],
  structs: [
    "struct",
    "struct A B",
    "struct A\n  -",
    "struct A\n  - a",
    "struct A\n  - a:",
    "struct A\n  - a: map<",
    "struct A\n  - a: map<string",
    "struct A\n  - a: map<string,int",
    "struct A\n  - a: [",
    "struct A\n  - a: []",
    "struct A\n  - a: int b",
    "struct A\n  - a: int\n    + json",
    "struct A\n  - a: int\n    + json =",
    "struct A\n  - a: int\n    + = b",
    "struct A\n  - a: int\n    + json = b c",
  ],
  services: [
    "service",
    "service S\n  -",
    "service S\n  - M",
    "service S\n  - M(",
    "service S\n  - M(a)(b)",
    "service S\n  - M() =>",
    "service S\n  - M() => stream",
    "service S\n  - M() => (a: int) => (b: int)",
    "service S\n  - M() errors |",
    "service S\n  - M() errors A |",
    "service S\n  - M() errors A | | B",
    "service S\n  - M(a: int; b: int)",
    "service S\n  - 'M'()",
  ],
  annotations: [
    "service S\n  @\n  - M()",
    "service S\n  @a:\n  - M()",
    "service S\n  @a:b,c\n  - M()",
    'service S\n  @"a"\n  - M()',
    "service S\n  @a b\n  - M()",
  ],
};

describe("accepts", () => {
  test.each(Object.entries(read))("%s", (_name, sources) => {
    for (const source of sources) {
      expect([source, findings(source)]).toEqual([source, []]);
    }
  });
});

describe("rejects with exactly one error", () => {
  test.each(Object.entries(refused))("%s", (_name, sources) => {
    for (const source of sources) {
      const severities = findings(source).map((text) => text.split(" ")[0]);
      expect([source, severities]).toEqual([source, ["error"]]);
    }
  });
});

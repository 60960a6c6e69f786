import { describe, expect, test } from "vitest";
import { compact, findings } from "./compact.js";

/** Sources without findings, and the trees that they produce. */
const accepted: Record<string, [source: string, tree: string[]]> = {
  "an empty text": ["", []],
  "only white space": [" \t\r\n\n  ", []],
  "only a comment without a line break": ["# end", []],

  "headers with tabs and no white space": [
    "webrpc\t=\tv1\nname=my-api\nversion = v0.0.1",
    ["webrpc = v1", "name = my-api", "version = v0.0.1"],
  ],
  "words with dots, dashes, and hashes": [
    "version = v1.\nname = foo-bar#\nname = my$api",
    ["version = v1.", "name = foo-bar#", "name = my$api"],
  ],
  "a base path with slashes": [
    'basepath = /v1/api\nbasepath = "/{network}/rpc"\nbasepath = /',
    ["basepath = /v1/api", 'basepath = "/{network}/rpc"', "basepath = /"],
  ],
  "a header after declarations": [
    "struct A\nname = late",
    ["struct A {}", "name = late"],
  ],
  "comments next to headers": [
    "# above\nname = x # behind\n#far\n\nversion = v1",
    ["name = x // above | behind", "version = v1"],
  ],
  "CRLF line endings": [
    "# doc\r\nstruct A # more\r\n  - a: string\r\n    + json = b\r\n",
    ["struct A {a: string +json=b} // doc | more"],
  ],

  "imports in the single-line form": [
    'import ./a.ridl\nimport ../b/c.ridl\nimport "with space#.ridl"',
    [
      "import ./a.ridl []",
      "import ../b/c.ridl []",
      'import "with space#.ridl" []',
    ],
  ],
  "an import with members": [
    'import a.ridl\n  - Foo\n# between\n\n  - "Bar"\n  -Baz',
    ['import a.ridl [Foo "Bar" Baz]'],
  ],
  "imports in the list form": [
    "import # c\n  # doc\n  - a.ridl # behind\n\n  - ./b.ridl\n  -c.ridl",
    [
      "import a.ridl [] // doc | behind",
      "import ./b.ridl []",
      "import c.ridl []",
    ],
  ],
  "an empty import": ["import\n\nstruct A", ["struct A {}"]],
  "a string with escapes": [
    'import "\\nABC \\" DEF \\\\ \\t"',
    ['import "\\nABC \\" DEF \\\\ \\t" []'],
  ],
  "an escaped quote directly after a word": [
    'name = "say \\"hi\\""',
    ['name = "say \\"hi\\""'],
  ],
  "non-ASCII text": [
    'error 1 Naive "naïve ✓ 漢字 🎉"',
    ['error 1 Naive "naïve ✓ 漢字 🎉"'],
  ],

  "errors in all their forms": [
    [
      'error 1 A "Text here" HTTP 401',
      'error 2 B "Text"',
      "error 3 C Text",
      "error 4 D Text HTTP 404",
      'error 5 E "T" HTTP 400 # note',
      'error\t6   F\t"tabs"   HTTP   418',
      '# above\nerror 7 G ""',
      "error 8 H HTTP",
    ].join("\n"),
    [
      'error 1 A "Text here" HTTP 401',
      'error 2 B "Text"',
      "error 3 C Text",
      "error 4 D Text HTTP 404",
      'error 5 E "T" HTTP 400 // note',
      'error 6 F "tabs" HTTP 418',
      'error 7 G "" // above',
      "error 8 H HTTP",
    ],
  ],

  "enums with and without values": [
    'enum K: uint32 # kind\n  # one\n  - A # first\n  - B = 5\n  - C="x y"\n  - D = a.b\n  - E = "-1"',
    [
      'enum K: uint32 {A // one | first; B = 5; C = "x y"; D = a.b; E = "-1"} // kind',
    ],
  ],
  "an empty enum": ["enum K: string", ["enum K: string {}"]],
  "enum members on one line": [
    "enum K: string\n - A - B = x - C",
    ["enum K: string {A; B = x; C}"],
  ],

  "an alias with metadata": [
    '# doc\ntype T: []map<string,uint8> # behind\n  + go.type = x.Y\n  + pattern = "^a#b$"',
    [
      'type T: []map<string,uint8> +go.type=x.Y +pattern="^a#b$" // doc | behind',
    ],
  ],
  "the type `file`": ["type F: file", ["type F: file"]],

  "an empty struct": ["struct A", ["struct A {}"]],
  "fields, optional and nested": [
    "struct A\n - a: string\n - b?: []string\n - c: map<string, map<uint8,[]B>>\n-d:int",
    [
      "struct A {a: string; b?: []string; c: map<string,map<uint8,[]B>>; d: int}",
    ],
  ],
  "metadata in all its forms": [
    'struct A\n - a: string\n  +json = id\n  + json= X\n  + j=x\n  + go.tag.db.1 = a#b,c|d(e)\n  + color = #fff # comment\n  + v = "a # b" # c\n  + e = a"b"',
    [
      'struct A {a: string +json=id +json=X +j=x +go.tag.db.1=a#b,c|d(e) +color=#fff +v="a # b" +e=a"b"}',
    ],
  ],
  "a whole file on one line": [
    "struct A - a: string + json = x - b?: int struct B - c: A",
    ["struct A {a: string +json=x; b?: int}", "struct B {c: A}"],
  ],
  "a comment directly after a map": [
    "struct A\n - a: map<string,int># c",
    ["struct A {a: map<string,int> // c}"],
  ],
  "unusual characters in names": [
    "struct A-B/C.é\n - a$: string",
    ["struct A-B/C.é {a$: string}"],
  ],

  "an empty service": ["service Foo", ["service Foo {}"]],
  "service names with slashes and quotes": [
    'service v1/Example # c\nservice "Quoted Name"',
    ["service v1/Example {} // c", 'service "Quoted Name" {}'],
  ],
  "methods with and without output": [
    "service S\n - A()\n - B() => ()\n - C(a: int) => (b: int)\n - D()=>()\n -e_f( a: int )",
    [
      "service S {A() => (); B() => (); C(a: int) => (b: int); D() => (); e_f(a: int) => ()}",
    ],
  ],
  "arguments with and without commas": [
    "service S\n - A(a: int b?: []int | c: map<string,int>,, d: any,)",
    ["service S {A(a: int, b?: []int, c: map<string,int>, d: any) => ()}"],
  ],
  "streams in both directions": [
    "service S\n - stream A(a: int) => stream (b: int)\n - B() => stream (c: string)\n - stream C() => (d: int)",
    [
      "service S {Astream (a: int) => stream (b: int); B() => stream (c: string); Cstream () => (d: int)}",
    ],
  ],
  "succinct methods": [
    "service S\n - A(Req) => (Resp)\n - B(Req) => stream (Resp)\n - C(Req)",
    [
      "service S {A(*Req) => (*Resp); B(*Req) => stream (*Resp); C(*Req) => ()}",
    ],
  ],
  "a comment directly after a succinct method": [
    "service S\n - A(Req) => (Resp)# c",
    ["service S {A(*Req) => (*Resp) // c}"],
  ],
  "errors of methods": [
    "service S\n - A() errors X\n - B() => (a: int) errors X | Y |Z\n - C() # c",
    [
      "service S {A() => () errors X; B() => (a: int) errors X Y Z; C() => () // c}",
    ],
  ],
  "an argument named errors": [
    "service S\n - A(errors: []string) => (stream: bool)",
    ["service S {A(errors: []string) => (stream: bool)}"],
  ],
  "a proxy": [
    "service S\n - proxy other.Method",
    ["service S {proxy other.Method() => ()}"],
  ],

  "annotations in all their forms": [
    'service S\n  @internal @auth:ApiKey @x:"a b"\n  @acl:a|b\n  - A()\n @one - B() @two - C()',
    [
      'service S {@internal @auth:ApiKey @x:"a b" @acl:a|b A() => (); @one B() => (); @two C() => ()}',
    ],
  ],
  "annotations on everything else": [
    '@a\nstruct A\n  @b:"c"\n  - f: int\n@d\n@e\ntype T: int\n@g\nenum K: int\n@h\nerror 1 E "e"\n@i\nservice S',
    [
      '@a struct A {@b:"c" f: int}',
      "@d @e type T: int",
      "@g enum K: int {}",
      '@h error 1 E "e"',
      "@i service S {}",
    ],
  ],

  "docs: lines above and at the end": [
    "# one\n#two\n#   three\nstruct A # four\n  # five\n  - a: int # six",
    ["struct A {a: int // five | six} // one | two |   three | four"],
  ],
  "docs: a blank line ends them": [
    "# lost\n\n# kept\nstruct A\n  # lost\n\n  - a: int",
    ["struct A {a: int} // kept"],
  ],
  "docs: private lines": [
    "# a\n#! hidden\n# b\nstruct A #! hidden",
    ["struct A {} // a | b"],
  ],
  "docs: an address with a hash": [
    "service S\n  # see https://example.com/#part # two\n  - A()",
    ["service S {A() => () // see https://example.com/#part # two}"],
  ],
  "docs: around annotations": [
    "service S\n # one\n @a # two\n # three\n @b\n\n # four\n - A() # five",
    ["service S {@a @b A() => () // one | two | three | four | five}"],
  ],
  "docs: not taken from the metadata above": [
    "struct A\n - a: int\n  + json = b # about json\n - b: int",
    ["struct A {a: int +json=b; b: int}"],
  ],
  "docs: the first declaration on a line gets the lines above, and the last gets the end of the line":
    [
      "# above\nstruct A - a: int # behind",
      ["struct A {a: int // behind} // above"],
    ],
  "docs: a commented-out field": [
    "struct A\n  # - a: int\n  - b: int",
    ["struct A {b: int // - a: int}"],
  ],
};

describe("accepts", () => {
  test.each(Object.entries(accepted))("%s", (_name, [source, tree]) => {
    expect(findings(source)).toEqual([]);
    expect(compact(source)).toEqual(tree);
  });
});

/** What shows one row of the tables of docs/ridl.md. */
export interface DifferenceCase {
  /** The document, after a head that every document needs. */
  readonly text?: string;
  /** Several documents, heads included; those called `host…` are the entries. */
  readonly files?: Readonly<Record<string, string>>;
  /** Another way to write `text`, with the same meaning in webrpc's form. */
  readonly same?: string;
}

const head = (name: string): string =>
  `webrpc = v1\nname = ${name}\nversion = v1\n`;

/** A service with one method. */
const method = (line: string): string => `service S\n  ${line}\n`;

/** Structs that succinct methods need. */
const messages = "struct Req\nstruct Resp\n";

const credential = `error 1 Denied "denied"
type Key: string
  + header = X-Key
  + error = Denied
`;

/** By the first cell of the row. */
export const differenceCases: Readonly<Record<string, DifferenceCase>> = {
  "byte order mark": {
    files: { "host.ridl": `\ufeff${head("a")}struct A\n` },
  },
  "NUL character": { text: "struct A\n\0struct a b c\n", same: "struct A\n" },
  "comment on a last line without line break": {
    text: "struct A # said",
    same: "# said\nstruct A\n",
  },
  "docs of enums, errors and headers, docs above two lines of annotations": {
    text: `# A.\nenum A: int\n  - B\n# C.\nerror 1 C "c"\n${method("# Said.\n  @a\n  @b\n  - M()")}`,
    same: `enum A: int\n  - B\nerror 1 C "c"\n${method("@a @b\n  # Said.\n  - M()")}`,
  },
  "comment behind a metadata line, directly above a field": {
    text: "struct A\n  - a: int\n    + json = b # c\n  - d: int\n",
    same: "struct A\n  - a: int\n    + json = b\n  - d: int\n",
  },
  "white space and `#` within a comment": {
    text: "# a    b   #c\nstruct A\n",
    same: "struct A # a    b   #c\n",
  },
  '`"say \\"hi\\""`, `"a\\\\b"`': {
    text: 'error 1 A "say \\"hi\\""\nerror 2 B "a\\\\b"\n',
  },
  'another escape, such as `"\\d"`': { text: 'error 1 A "\\d"\n' },
  "string without an end": { text: 'error 1 A "a\n' },
  "text in values that is not ASCII": { text: 'error 1 A "naïve ✓"\n' },
  "unquoted value with spaces or odd characters": {
    text: "struct A\n  - a: int\n    + x = two words\n",
  },
  "negative enum value without quotes": {
    text: "enum A: int\n  - B = -1\n",
    same: 'enum A: int\n  - B = "-1"\n',
  },
  "carriage return in a value without quotes": {
    text: "struct A\n  - a: int\n    + x = y\r\r\n",
  },
  "`+ json = name,omitempty`": {
    text: "struct A\n  - a: int\n    + json = b,omitempty\n",
  },
  "empty JSON name": { text: 'struct A\n  - a: int\n    + json = ""\n' },
  "white space after `[]`": {
    text: method("- M(a:[] string)"),
    same: method("- M(a: []string)"),
  },
  "error names that are no identifiers": { text: 'error 1 a-b "c"\n' },
  "metadata value in the wrong form, such as `+ minimum = some`": {
    text: "struct A\n  - a: int\n    + minimum = some\n",
  },
  "credential that is not complete": {
    text: "type Key: string\n  + header = X-Key\n",
  },
  "`errors` without names": { text: method("- M() => (a: string) errors") },
  "`@auth:` without a value": { text: method("@auth:\n  - M()") },
  'text directly behind the value of an annotation, such as `@deprecated:"x".`':
    { text: method('@deprecated:"x".\n  - M()') },
  "bracket too many behind a message, such as `M(A)) => (A)`": {
    text: `struct A\n${method("- M(A)) => (A)")}`,
  },

  "white space before `:` or `?`": {
    text: "struct A\n  - a ?: int\n  - b : int\n",
    same: "struct A\n  - a?: int\n  - b: int\n",
  },
  "`a: string# comment`": {
    text: "struct A\n  - a: string# said\n",
    same: "struct A\n  - a: string # said\n",
  },
  "`a: map<string,int># comment`": {
    text: "struct A\n  - a: map<string,int># said\n",
    same: "struct A\n  - a: map<string,int> # said\n",
  },
  "two declarations on a line that webrpc wants on two": {
    text: 'error 1 A "a" error 2 B "b"\nenum C: int - D\n',
    same: 'error 1 A "a"\nerror 2 B "b"\nenum C: int\n  - D\n',
  },
  "`message Name`": { text: "message A\n  - a: int\n" },
  "unknown word at the begin of a line": { text: "strukt A\n" },
  "`extends`, default values, braces, `T[]`, `a: T?`": {
    text: "struct A extends B\nstruct C\n  - a: int = 5\n  - b: int[]\n  - c: int?\nstruct D {\n}\n",
  },
  "metadata below methods and enum members": {
    text: `enum A: int\n  - B\n    + x = y\n${method("- M()\n    + x = y")}`,
  },
  "nesting deeper than 64, also through aliases": {
    text: `struct A\n  - a: ${"[]".repeat(65)}int\ntype B: ${"[]".repeat(40)}int\ntype C: ${"map<string,".repeat(40)}B${">".repeat(40)}\n`,
  },
  "type names that are no identifiers": {
    text: "struct A-B\nenum b: int\n  - C\n",
  },
  "enum member names that are no identifiers": {
    text: "enum A: int\n  - B-C\n",
  },
  "service names with other characters than `/` between identifiers": {
    text: "service a-b\n  - M()\n",
  },
  "method names that are no identifiers": { text: method("- M.N()") },
  "argument names that are no identifiers": { text: method("- M(a-b: int)") },
  "duplicate types, whatever their kind and case": {
    text: "struct Item\nenum ITEM: int\n  - A\ntype Item: int\n",
  },
  "duplicate fields, whatever their case": {
    text: "struct A\n  - id: int\n  - ID: int\n    + json = other\n",
  },
  "JSON name twice, also where one is left out with `json = -`": {
    text: "struct A\n  - a: int\n    + json = id\n  - b: int\n    + json = ID\n",
  },
  "alias that leads to itself, also through lists and maps": {
    text: "type A: []B\ntype B: map<string,A>\n",
  },
  "struct that requires itself": {
    text: "struct A\n  - b: B\nstruct B\n  - a: A\n",
  },
  "recursion through optional fields, lists and maps": {
    text: "struct A\n  - a?: A\n  - b: []A\n  - c: map<string,A>\n",
  },
  "struct as a map key": { text: "struct A\n  - a: map<A,int>\n" },
  "alias of a struct, declared later, as a map key": {
    text: "struct A\n  - a: map<B,int>\ntype B: A\n",
  },
  "`map<map<string,int>,int>`": {
    text: "struct A\n  - a: map<map<string,int>,int>\n",
  },
  "maps within maps": {
    text: "struct A\n  - a: map<string,map<uint8,[]map<string,int>>>\n",
  },
  "map key in another case than its enum": {
    text: "enum Kind: int\n  - A\nstruct B\n  - a: map<KIND,int>\n",
    same: "enum Kind: int\n  - A\nstruct B\n  - a: map<Kind,int>\n",
  },
  "enum without members": { text: "enum A: int\n" },
  "enum value that is left out": {
    text: "enum A: int\n  - B = 5\n  - C\nenum D: string\n  - E\n",
    same: 'enum A: int\n  - B = 5\n  - C = 1\nenum D: string\n  - E = "E"\n',
  },
  "enum member twice": { text: "enum A: int\n  - B\n  - B\n" },
  "enum value out of range": { text: "enum A: uint8\n  - B = 256\n" },
  "enum value twice": { text: "enum A: int\n  - B = 1\n  - C\n" },
  "error code beyond 32 bits": { text: 'error 2147483648 A "a"\n' },
  "metadata key twice": {
    text: "struct A\n  - a: int\n    + json = b\n    + json = c\n",
  },
  "header twice": { text: "name = b\n" },
  "`basepath = rpc`": { text: "basepath = rpc\n", same: "basepath = /rpc/\n" },

  "import path that begins with `/`": {
    files: {
      "sub/host.ridl": `${head("a")}import /b.ridl\nstruct A\n  - b: B\n`,
      "sub/b.ridl": `${head("b")}struct B\n`,
    },
  },
  "import of a folder": {
    files: { "host.ridl": `${head("a")}import ./\n` },
  },
  "import cycle": {
    files: {
      "host.ridl": `${head("a")}import b.ridl\n`,
      "b.ridl": `${head("b")}import host.ridl\n`,
    },
  },
  "unknown import member": {
    files: {
      "host.ridl": `${head("a")}import b.ridl\n  - B\n  - Gone\n`,
      "b.ridl": `${head("b")}struct B\n`,
    },
  },
  "imported member that needs other types": {
    files: {
      "host.ridl": `${head("a")}import b.ridl\n  - S\n`,
      "b.ridl": `${head("b")}struct B\n  - c: C\nstruct C\nerror 1 E "e"\nservice S\n  - M(b: B) errors E\n`,
    },
  },
  "type that a member import left out": {
    files: {
      "host.ridl": `${head("a")}import b.ridl\n  - B\nstruct A\n  - c: C\n`,
      "b.ridl": `${head("b")}struct B\n  - c: C\nstruct C\n`,
    },
  },
  "service imported along two paths": {
    files: {
      "host.ridl": `${head("a")}import b.ridl\nimport c.ridl\n`,
      "b.ridl": `${head("b")}import c.ridl\n`,
      "c.ridl": `${head("c")}service C\n  - M()\n`,
    },
  },
  "services of an imported document without `version`": {
    files: {
      "host.ridl": `${head("a")}import b.ridl\n`,
      "b.ridl": "webrpc = v1\nservice B\n  - M()\n",
    },
  },
  "imported document that is listed itself, without services": {
    files: {
      "host-a.ridl": `${head("a")}import host-b.ridl\nservice A\n  - M(b: B)\n`,
      "host-b.ridl": `${head("b")}struct B\n`,
    },
  },
  "service that two hosts import": {
    files: {
      "host-a.ridl": `${head("a")}import c.ridl\n`,
      "host-b.ridl": `${head("b")}import c.ridl\n`,
      "c.ridl": `${head("c")}service C\n  - M()\n`,
    },
  },
  "two hosts of one name": {
    files: {
      "host-a.ridl": `${head("shop-api")}service A\n  - M()\n`,
      "host-b.ridl": `${head("ShopAPI")}service B\n  - M()\n`,
    },
  },
  "the same error in two hosts": {
    files: {
      "host-a.ridl": `${head("a")}error 1 E "e"\n`,
      "host-b.ridl": `${head("b")}error 1 E "e" HTTP 400\n`,
    },
  },
  "errors of one name or code that differ between hosts": {
    files: {
      "host-a.ridl": `${head("a")}error 1 E "e"\n`,
      "host-b.ridl": `${head("b")}error 1 F "f"\n`,
    },
  },
  "types of one name in two hosts": {
    files: {
      "host-a.ridl": `${head("a")}struct A\n`,
      "host-b.ridl": `${head("b")}struct A\n`,
    },
  },

  "one word behind a method": {
    text: method("- M() => (a: bool) garbage"),
    same: method("- M() => (a: bool)"),
  },
  "more words behind a method": {
    text: method("- M() => (a: bool) more garbage"),
  },
  "one token behind `(Response)`": {
    text: `${messages}service S\n  - M(Req) => (Resp);\n  - N(Req) => (Resp)# said\n`,
    same: `${messages}service S\n  - M(Req) => (Resp)\n  # said\n  - N(Req) => (Resp)\n`,
  },
  "commas between arguments left out, doubled, or `|`": {
    text: method("- M(a: int b: int,, c: int | d: int)"),
    same: method("- M(a: int, b: int, c: int, d: int)"),
  },
  "argument list on several lines": {
    text: method("- M(\n    a: int,\n    b: int\n  )"),
  },
  "`Get(Req)=>(Resp)`, `Get( Req )`, `Get (a: T)`": {
    text: `${messages}service S\n  - M(Req)=>(Resp)\n  - N( Req ) => (Resp)\n  - O (a: int)\n`,
    same: `${messages}service S\n  - M(Req) => (Resp)\n  - N(Req) => (Resp)\n  - O(a: int)\n`,
  },
  "`Get(Req)`, `Get() => (Resp)`": {
    text: `${messages}service S\n  - M(Req)\n  - N() => (Resp)\n`,
  },
  "`Get(Req) => (a: T)`": {
    text: `${messages}service S\n  - M(Req) => (a: int)\n`,
  },
  "`Get(string)`, `Get(Enum)`": {
    text: "enum Kind: int\n  - A\nservice S\n  - M(string)\n  - N(Kind)\n",
  },
  "succinct name in another case than its struct": {
    text: `${messages}service S\n  - M(REQ) => (resp)\n`,
    same: `${messages}service S\n  - M(Req) => (Resp)\n`,
  },
  "`errors A|B`": {
    text: `error 1 A "a"\nerror 2 B "b"\n${method("- M() errors A|B")}`,
  },
  "`errors A, B`": {
    text: `error 1 A "a"\nerror 2 B "b"\n${method("- M() errors A, B")}`,
  },
  "argument name twice": { text: method("- M(a: int, a: string)") },
  "`proxy Name`": {
    text: method("- proxy Other"),
    same: method("- Other()"),
  },
  "method called `stream` or `proxy`": {
    text: "service S\n  - stream()\n  - proxy()\n",
  },
  "client stream": { text: method("- stream M(a: int)") },
  "service without methods": { text: "service S\n" },
  "`@a:b,c`": { text: method("@a:b,c\n  - M()") },
  '`@a:"b"@c`': {
    text: method('@a:"b"@c\n  - M()'),
    same: method('@a:"b" @c\n  - M()'),
  },
  "annotations before fields and declarations": {
    text: `@a\nstruct A\n  @b\n  - a: int\n@c\n${method("- M()")}`,
    same: `struct A\n  - a: int\n${method("- M()")}`,
  },
  "annotation with nothing below it": {
    text: method("- M()\n  @a"),
    same: method("- M()"),
  },
  "annotation twice on one method": { text: method("@a:b @a:c\n  - M()") },

  "annotation that is nearly one of ours": {
    text: method("@idempotant\n  - M()"),
  },
  "metadata key that is nearly one of ours": {
    text: "struct A\n  - a: string\n    + maxLenght = 5\n",
  },
  "metadata key where it means nothing": {
    text: "type A: string\n  + json = b\n",
  },
  "`format` other than `uri`": {
    text: "type A: string\n  + format = uuid\n",
  },
  "limit on a type that it cannot limit": {
    text: "type A: int\n  + maxLength = 5\n",
  },
  "lower limit above the upper one": {
    text: "type A: int\n  + minimum = 5\n  + maximum = 4\n",
  },
  "`pattern` that is no regular expression of ECMAScript": {
    text: 'type A: string\n  + pattern = "(?P<a>b)"\n',
  },
  "`@auth` without any credential in the contract": {
    text: method("@auth:anything\n  - M()"),
  },
  "`@auth` that names no credential of the contract": {
    text: `${credential}${method("@auth:X-Other\n  - M()")}`,
  },
  "`@get` with a path that does not fit the request": {
    text: method('@get:"/a/{b}"\n  - M(c: int)'),
  },
  "`@get` that leaves out a field of the request": {
    text: method('@get:"/a/{b}"\n  - M(b: int, c: int)'),
  },
  "two `@get` of one shape": {
    text: `service S\n  @get:"/a/{b}"\n  - M(b: int)\n  @get:"/a/{c}"\n  - N(c: int)\n`,
  },
  "`@body` that is not the only output": {
    text: method('@get:"/a" @body:b\n  - M() => (b: int, c: int)'),
  },
  "`@webhook` on some methods of a service": {
    text: "service S\n  @webhook\n  - M()\n  - N()\n",
  },
  "`@webhook` on a REST read or a stream": {
    text: "service S\n  @webhook\n  - M() => stream (a: int)\n",
  },
  "`file` within JSON: in a list of a struct, beside other outputs": {
    text: `struct A\n  - a: []file\n${method("- M(a: int) => (b: file, c: A)")}`,
  },
  "`file` as an argument or the only output": {
    text: "service S\n  - M(a: file) => (b: file)\n  - N(a: file)\n",
  },
};

/** The test case for a row of the tables in docs/reference/tables/webrpc.md. */
export interface DifferenceCase {
  /** The document without the head that every document needs. */
  readonly text?: string;
  /**
   * Several documents, including their heads. Documents whose names start with
   * `host` are entry documents.
   */
  readonly files?: Readonly<Record<string, string>>;
  /** A version of `text` with the same meaning in webrpc's form. */
  readonly same?: string;
}

const head = (name: string): string =>
  `webrpc = v1\nname = ${name}\nversion = v1\n`;

/** Prints a service with one method. */
const method = (line: string): string => `service S\n  ${line}\n`;

/** Structs that succinct methods need. */
const messages = "struct Req\nstruct Resp\n";

const credential = `error 1 Denied "denied"
type Key: string
  + header = X-Key
  + error = Denied
`;

/** Cases by the first cell of their row. */
export const differenceCases: Readonly<Record<string, DifferenceCase>> = {
  "byte order mark": {
    files: { "host.ridl": `\ufeff${head("a")}struct A\n` },
  },
  "NUL character": { text: "struct A\n\0struct a b c\n", same: "struct A\n" },
  "member `webrpcError` in the items of a stream of lines": {
    text: method("- M() => stream (webrpcError: string)"),
  },
  "comment on a last line without a line break": {
    text: "struct A # said",
    same: "# said\nstruct A\n",
  },
  "comments on enums, errors and headers, or above two lines of annotations": {
    text: `# A.\nenum A: int\n  - B\n# C.\nerror 1 C "c"\n${method("# Said.\n  @a\n  @b\n  - M()")}`,
    same: `enum A: int\n  - B\nerror 1 C "c"\n${method("@a @b\n  # Said.\n  - M()")}`,
  },
  "comment at the end of a metadata line, directly above a field": {
    text: "struct A\n  - a: int\n    + json = b # c\n  - d: int\n",
    same: "struct A\n  - a: int\n    + json = b\n  - d: int\n",
  },
  "white space and `#` inside a comment": {
    text: "# a    b   #c\nstruct A\n",
    same: "struct A # a    b   #c\n",
  },
  '`"say \\"hi\\""`, `"a\\\\b"`': {
    text: 'error 1 A "say \\"hi\\""\nerror 2 B "a\\\\b"\n',
  },
  'any other escape, such as `"\\d"`': { text: 'error 1 A "\\d"\n' },
  'the escapes `\\n`, `\\t` and `\\"` in an unquoted value, such as `a\\tb`': {
    text: "enum A: string\n  - B = a\\tb\n",
    same: 'enum A: string\n  - B = "a\\tb"\n',
  },
  "any other backslash in an unquoted value, such as `^\\d$`": {
    text: "struct A\n  - a: string\n    + pattern = ^\\d$\n",
    same: 'struct A\n  - a: string\n    + pattern = "^\\\\d$"\n',
  },
  "unclosed string": { text: 'error 1 A "a\n' },
  "non-ASCII text in values": { text: 'error 1 A "naïve ✓"\n' },
  "unquoted value with spaces or special characters": {
    text: "struct A\n  - a: int\n    + x = two words\n",
  },
  "unquoted negative enum value": {
    text: "enum A: int\n  - B = -1\n",
    same: 'enum A: int\n  - B = "-1"\n',
  },
  "empty enum value": {
    text: 'enum A: string\n  - B = ""\n',
  },
  "carriage return in an unquoted value": {
    text: "struct A\n  - a: int\n    + x = y\r\r\n",
  },
  "`+ json = name,omitempty`": {
    text: "struct A\n  - a: int\n    + json = b,omitempty\n",
  },
  "empty JSON name": { text: 'struct A\n  - a: int\n    + json = ""\n' },
  'other characters in `+ json`, such as `+ json = "@odata.type"`': {
    text: 'struct A\n  - a: int\n    + json = "@odata.type"\n',
  },
  "white space after `[]`": {
    text: method("- M(a:[] string)"),
    same: method("- M(a: []string)"),
  },
  "invalid error names": { text: 'error 1 a-b "c"\n' },
  "invalid metadata value, such as `+ minimum = some`": {
    text: "struct A\n  - a: int\n    + minimum = some\n",
  },
  "incomplete credential": {
    text: "type Key: string\n  + header = X-Key\n",
  },
  "`errors` without names": { text: method("- M() => (a: string) errors") },
  "`@auth:` without a value": { text: method("@auth:\n  - M()") },
  'text directly after the value of an annotation, such as `@deprecated:"x".`':
    { text: method('@deprecated:"x".\n  - M()') },
  "extra bracket after a message, such as `M(A)) => (A)`": {
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
  "two declarations on one line, where webrpc requires two lines": {
    text: 'error 1 A "a" error 2 B "b"\nenum C: int - D\n',
    same: 'error 1 A "a"\nerror 2 B "b"\nenum C: int\n  - D\n',
  },
  "`message Name`": { text: "message A\n  - a: int\n" },
  "unknown word at the beginning of a line": { text: "strukt A\n" },
  "`extends`, default values, braces, `T[]`, `a: T?`": {
    text: "struct A extends B\nstruct C\n  - a: int = 5\n  - b: int[]\n  - c: int?\nstruct D {\n}\n",
  },
  "metadata below methods and enum members": {
    text: `enum A: int\n  - B\n    + x = y\n${method("- M()\n    + x = y")}`,
  },
  "more than 64 levels of nesting, including aliases": {
    text: `struct A\n  - a: ${"[]".repeat(65)}int\ntype B: ${"[]".repeat(40)}int\ntype C: ${"map<string,".repeat(40)}B${">".repeat(40)}\n`,
  },
  "invalid type names": {
    text: "struct A-B\nenum b: int\n  - C\n",
  },
  "invalid enum member names": {
    text: "enum A: int\n  - B-C\n",
  },
  "service names with characters other than `/` between identifiers": {
    text: "service a-b\n  - M()\n",
  },
  "invalid method names": { text: method("- M.N()") },
  "invalid argument names": { text: method("- M(a-b: int)") },
  "duplicate types, of any kind and in any case": {
    text: "struct Item\nenum ITEM: int\n  - A\ntype Item: int\n",
  },
  "duplicate fields, in any case": {
    text: "struct A\n  - id: int\n  - ID: int\n    + json = other\n",
  },
  "duplicate JSON name, even if one of the fields has `json = -`": {
    text: "struct A\n  - a: int\n    + json = id\n  - b: int\n    + json = ID\n",
  },
  "alias that refers to itself, even through lists and maps": {
    text: "type A: []B\ntype B: map<string,A>\n",
  },
  "struct that requires itself, directly or in a list or map that cannot be empty":
    {
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
  "map key whose case differs from its enum": {
    text: "enum Kind: int\n  - A\nstruct B\n  - a: map<KIND,int>\n",
    same: "enum Kind: int\n  - A\nstruct B\n  - a: map<Kind,int>\n",
  },
  "enum without members": { text: "enum A: int\n" },
  "omitted enum value": {
    text: "enum A: int\n  - B = 5\n  - C\nenum D: string\n  - E\n",
    same: 'enum A: int\n  - B = 5\n  - C = 1\nenum D: string\n  - E = "E"\n',
  },
  "duplicate enum member": { text: "enum A: int\n  - B\n  - B\n" },
  "enum value out of range": { text: "enum A: uint8\n  - B = 256\n" },
  "duplicate enum value": { text: "enum A: int\n  - B = 1\n  - C\n" },
  "error code beyond 32 bits": { text: 'error 2147483648 A "a"\n' },
  "duplicate metadata key": {
    text: "struct A\n  - a: int\n    + json = b\n    + json = c\n",
  },
  "duplicate header": { text: "name = b\n" },
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
  "imported member that requires other types": {
    files: {
      "host.ridl": `${head("a")}import b.ridl\n  - S\n`,
      "b.ridl": `${head("b")}struct B\n  - c: C\nstruct C\nerror 1 E "e"\nservice S\n  - M(b: B) errors E\n`,
    },
  },
  "type that a member import does not list": {
    files: {
      "host.ridl": `${head("a")}import b.ridl\n  - B\nstruct A\n  - c: C\n`,
      "b.ridl": `${head("b")}struct B\n  - c: C\nstruct C\n`,
    },
  },
  "service imported in two ways": {
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
  "document without services next to documents with services": {
    files: {
      "host-a.ridl": `${head("a")}import host-b.ridl\nservice A\n  - M(b: B)\n`,
      "host-b.ridl": `${head("b")}struct B\n`,
      "host-c.ridl": `${head("c")}struct C\n`,
    },
  },
  "service that two hosts import": {
    files: {
      "host-a.ridl": `${head("a")}import c.ridl\n`,
      "host-b.ridl": `${head("b")}import c.ridl\n`,
      "c.ridl": `${head("c")}service C\n  - M()\n`,
    },
  },
  "two hosts with the same name": {
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
  "errors with the same name or code that differ between hosts": {
    files: {
      "host-a.ridl": `${head("a")}error 1 E "e"\n`,
      "host-b.ridl": `${head("b")}error 1 F "f"\n`,
    },
  },
  "types with the same name in two hosts": {
    files: {
      "host-a.ridl": `${head("a")}struct A\n`,
      "host-b.ridl": `${head("b")}struct A\n`,
    },
  },

  "one word after a method": {
    text: method("- M() => (a: bool) garbage"),
    same: method("- M() => (a: bool)"),
  },
  "several words after a method": {
    text: method("- M() => (a: bool) more garbage"),
  },
  "one token after `(Response)`": {
    text: `${messages}service S\n  - M(Req) => (Resp);\n  - N(Req) => (Resp)# said\n`,
    same: `${messages}service S\n  - M(Req) => (Resp)\n  # said\n  - N(Req) => (Resp)\n`,
  },
  "commas between arguments missing, doubled, or replaced by `|`": {
    text: method("- M(a: int b: int,, c: int | d: int)"),
    same: method("- M(a: int, b: int, c: int, d: int)"),
  },
  "argument list across several lines": {
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
  "succinct name whose case differs from its struct": {
    text: `${messages}service S\n  - M(REQ) => (resp)\n`,
    same: `${messages}service S\n  - M(Req) => (Resp)\n`,
  },
  "`errors A|B`": {
    text: `error 1 A "a"\nerror 2 B "b"\n${method("- M() errors A|B")}`,
  },
  "`errors A, B`": {
    text: `error 1 A "a"\nerror 2 B "b"\n${method("- M() errors A, B")}`,
  },
  "duplicate argument name": { text: method("- M(a: int, a: string)") },
  "`proxy Name`": {
    text: method("- proxy Other"),
    same: method("- Other()"),
  },
  "method named `stream` or `proxy`": {
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
  "annotation without a declaration below it": {
    text: method("- M()\n  @a"),
    same: method("- M()"),
  },
  "duplicate annotation on a method": { text: method("@a:b @a:c\n  - M()") },

  "annotation that resembles one of ridlkit's": {
    text: method("@idempotant\n  - M()"),
  },
  "metadata key that resembles one of ridlkit's": {
    text: "struct A\n  - a: string\n    + maxLenght = 5\n",
  },
  '`+ jsonName = "@odata.type"`': {
    text: 'struct A\n  - a: int\n    + jsonName = "@odata.type"\n',
  },
  "`+ go.tag.json` that differs from `+ jsonName`": {
    text: 'struct A\n  - a: int\n    + jsonName = "@a"\n    + go.tag.json = b\n',
  },
  "`+ extra = true`": {
    text: "struct A\n  - a: map<string,any>\n    + extra = true\n",
  },
  "`+ extra = true` on a field that is not a map with text keys": {
    text: "struct A\n  - a: string\n    + extra = true\n",
  },
  "`+ nullable = true` below a `type`": {
    text: "type A: string\n  + nullable = true\n\nstruct B\n  - a: []A\n",
  },
  "other annotation, or other metadata key without a dot": {
    text: method("@route\n  - M()"),
  },
  "annotation or metadata key with a dot, `@public`, `@internal`": {
    text: `type A: string\n  + acme.x = b\n${method("@public @internal @acme.x\n  - M()")}`,
  },
  "metadata key where it has no meaning": {
    text: "type A: string\n  + json = b\n",
  },
  "`format` other than `uri`": {
    text: "type A: string\n  + format = uuid\n",
  },
  "list of `byte` or `uint8` through an alias with limits": {
    text: "type Digit: uint8\n  + maximum = 9\nstruct A\n  - b: []Digit\n",
  },
  "limit on a type that it does not apply to": {
    text: "type A: int\n  + maxLength = 5\n",
  },
  "lower limit above the upper limit, or a listed value beyond another limit": {
    text: "type A: int\n  + minimum = 5\n  + maximum = 4\n",
  },
  "`pattern` that is not an ECMAScript regular expression": {
    text: 'type A: string\n  + pattern = "(?P<a>b)"\n',
  },
  union: { text: "type A: any\n  + oneOf = string|bool\n" },
  "union with an invalid list of variants": {
    text: "type A: any\n  + oneOf = string|\n",
  },
  "union with a variant or tag that does not fit": {
    text: "type A: any\n  + oneOf = string|bool\n  + tag = kind\n",
  },
  "union with variants that cannot be told apart": {
    text: "type A: any\n  + oneOf = string|timestamp\n",
  },
  "union without a finite value": {
    text: "struct A\n  - a: B\nstruct C\n  - c: B\ntype B: any\n  + oneOf = A|C\n",
  },
  "`dataOf` that does not name an error of the document": {
    text: "struct A\ntype B: A\n  + dataOf = Missing\n",
  },
  "`dataOf` on a type that is not a struct": {
    text: 'error 1 Lost "lost"\ntype B: string\n  + dataOf = Lost\n',
  },
  "`anyStatus` without `dataOf`": {
    text: "struct A\ntype B: A\n  + anyStatus = true\n",
  },
  "two `dataOf` for one error": {
    text: 'error 1 Lost "lost"\nstruct A\ntype B: A\n  + dataOf = Lost\ntype C: A\n  + dataOf = Lost\n',
  },
  "`header` on a field that is not in the data of an error, or cannot be text":
    { text: "struct A\n  - a: int\n    + header = X-A\n" },
  "`@auth` in a contract without credentials": {
    text: method("@auth:anything\n  - M()"),
  },
  "`@auth` that does not name a credential of the contract": {
    text: `${credential}${method("@auth:X-Other\n  - M()")}`,
  },
  "`@http` without a valid verb, path and status": {
    text: method('@http:"COPY /a 99"\n  - M()'),
  },
  "`@http` or `@get` with a path that does not match the request": {
    text: method('@get:"/a/{b}"\n  - M(c: int)'),
  },
  "`@http` or `@get` with a query that does not match the request": {
    text: method('@http:"PUT /a?b&&c={d}&e=f&e"\n  - M(c: int)'),
  },
  "`@requestBody` that is not a field for the body": {
    text: method('@http:"PUT /a" @requestBody:b\n  - M(c: int)'),
  },
  "`@requestHeaders` that do not match the request": {
    text: method('@http:"PUT /a" @requestHeaders:"b"\n  - M(c: int)'),
  },
  "statuses and `@responseStatus` that do not match the response": {
    text: method('@http:"PUT /a 200={b} 204"\n  - M() => (c: int)'),
  },
  "`@responseHeaders` that do not match the response": {
    text: method('@http:"PUT /a" @responseHeaders:"b"\n  - M() => (c: int)'),
  },
  "`@idempotencyKey` on a method whose calls cannot have a key": {
    text: method("@readonly @idempotencyKey\n  - M(c: int)"),
  },
  "`@resume` that does not name the cursor of a stream": {
    text: method('@resume:"after=id"\n  - M() => stream (id: int)'),
  },
  "`@form` on a request that cannot be a form": {
    text: method('@http:"PUT /a" @form\n  - M(c: any)'),
  },
  "`@http` and `@get` on one method": {
    text: method('@http:"GET /a" @get:"/b"\n  - M()'),
  },
  "`@get` that omits a field of the request": {
    text: method('@get:"/a/{b}"\n  - M(b: int, c: int)'),
  },
  "two methods with the same verb, and paths of the same shape": {
    text: `service S\n  @get:"/a/{b}"\n  - M(b: int)\n  @get:"/a/{c}"\n  - N(c: int)\n`,
  },
  "`@body` that is not the only output": {
    text: method('@get:"/a" @body:b\n  - M() => (b: int, c: int)'),
  },
  "`@webhook` on some methods of a service": {
    text: "service S\n  @webhook\n  - M()\n  - N()\n",
  },
  "`@webhook` on a REST method or a stream": {
    text: "service S\n  @webhook\n  - M() => stream (a: int)\n",
  },
  "`file` inside JSON, such as in a response struct or next to other outputs, or in a REST method other than in a form or as the whole body":
    {
      text: `struct A\n  - a: []file\n${method('- M(a: int) => (b: file, c: A)\n  @http:"POST /n"\n  - N(a: int, b: file)')}`,
    },
  "`file` as an argument or the only output": {
    text: "service S\n  - M(a: file) => (b: file)\n  - N(a: file)\n",
  },
};

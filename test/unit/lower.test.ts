import { describe, expect, test } from "vitest";
import { compileContract } from "../../generator/compile.js";
import type {
  Contract,
  Field,
  Method,
  TypeDeclaration,
} from "../../generator/ir/contract.js";

const unguarded = "warning unknown-credential";

function lower(
  texts: Record<string, string>,
  ...entries: readonly string[]
): Contract {
  const host = { read: (path: string) => texts[path] ?? null };
  const { value, diagnostics } = compileContract(entries, host);
  const codes = diagnostics.map(({ severity, code }) => `${severity} ${code}`);
  // Ignores the warning about a useless `@auth`, which one test causes.
  expect(codes.filter((each) => each !== unguarded)).toEqual([]);
  if (value === null) throw new Error("no contract");
  return value;
}

/** Lowers a document with a standard head. */
function lowerText(body: string): Contract {
  const text = `webrpc = v1\nname = wallet\nversion = v1.2.3\n\n${body}`;
  return lower({ "schema/wallet.ridl": text }, "schema/wallet.ridl");
}

function typeOf(contract: Contract, name: string): TypeDeclaration {
  const found = contract.types.find((type) => type.name === name);
  if (found === undefined) throw new Error(`no type ${name}`);
  return found;
}

function fieldsOf(contract: Contract, name: string): readonly Field[] {
  const type = typeOf(contract, name);
  return type.kind === "struct" ? type.fields : [];
}

function methodsOf(contract: Contract): readonly Method[] {
  return contract.hosts.flatMap(({ services }) =>
    services.flatMap(({ methods }) => methods),
  );
}

/** A field whose other properties have their defaults. */
const plainField = {
  kind: "field",
  docs: { lines: [], origins: [] },
  isOptional: false,
  isNullable: false,
  isSensitive: false,
  isExtra: false,
  header: null,
  deprecated: null,
  constraints: {},
  metadata: [],
} as const;

describe("hosts", () => {
  test("have their address, name, and version", () => {
    const contract = lower(
      {
        "schema/market.ridl": `webrpc = v1
# Not used: the base address says more.
name = market
version = v0.0.1
basepath = "/{network}/rpc"

# Orders of a network.
# origin: stated 1
type Url: string
  + base = "https://{network}.example.com"

service v1/Market
  - Ping()
`,
      },
      "./schema/market.ridl",
    );
    const [host] = contract.hosts;
    expect(host).toMatchObject({
      kind: "host",
      name: "market",
      document: "schema/market.ridl",
      version: "0.0.1",
      docs: {
        lines: ["Orders of a network."],
        origins: [{ kind: "stated", detail: "1" }],
      },
      basePath: {
        text: "/{network}/rpc/",
        segments: [
          { kind: "parameter", name: "network" },
          { kind: "literal", text: "rpc" },
        ],
      },
      baseUrl: "https://{network}.example.com",
    });
    expect(methodsOf(contract)[0]?.route).toEqual({
      kind: "rpc",
      path: "/{network}/rpc/v1/Market/Ping",
    });
  });

  test.each([
    ["", "/rpc/", ["rpc"]],
    ["basepath = rpc", "/rpc/", ["rpc"]],
    ["basepath = /", "/", []],
    ["basepath = /v1/api/", "/v1/api/", ["v1", "api"]],
    ["basepath = /rpc//v1", "/rpc//v1/", ["rpc", "", "v1"]],
  ])("`%s` is %s", (header, text, literals) => {
    const contract = lower({ "a.ridl": `webrpc = v1\n${header}\n` }, "a.ridl");
    expect(contract.hosts[0]).toMatchObject({
      name: "a",
      version: null,
      docs: { lines: [], origins: [] },
      baseUrl: null,
      basePath: {
        text,
        segments: literals.map((each) => ({ kind: "literal", text: each })),
      },
    });
  });

  test("contain the errors that they declare, import, or return for credentials", () => {
    const contract = lower(
      {
        "common.ridl": `webrpc = v1\nerror 1 Shared "shared"\n`,
        "a.ridl": `webrpc = v1\nversion = v1.0.0\nimport common.ridl\nerror 2 OfA "a"\n
type Key: string
  + header = X-Key
  + error = OfA

service A
  - Ping() => ()
`,
        "b.ridl": `webrpc = v1\nname = bee\nversion = v1.0.0\nimport common.ridl\nerror 3 OfB "b"\n
service B
  @auth:X-Key
  - Ping() => ()
`,
        "c.ridl": `webrpc = v1\nversion = v1.0.0\nservice C\n  - Ping() => ()\n`,
      },
      "a.ridl",
      "b.ridl",
      "c.ridl",
    );
    expect(contract.hosts.map(({ errors }) => errors)).toEqual([
      ["Shared", "OfA"],
      ["Shared", "OfA", "OfB"],
      [],
    ]);
  });

  test("contain the types that they declare", () => {
    const contract = lower(
      {
        "common.ridl": `webrpc = v1\nstruct Shared\n`,
        "a.ridl": `webrpc = v1\nimport common.ridl\nstruct OfA\n`,
        "b.ridl": `webrpc = v1\nname = bee\nimport common.ridl\nstruct OfB\n`,
      },
      "a.ridl",
      "b.ridl",
    );
    expect(contract.types.map(({ name, host }) => [name, host])).toEqual([
      ["Shared", null],
      ["OfA", "a"],
      ["OfB", "bee"],
    ]);
  });
});

describe("types", () => {
  test("are in the order of the document", () => {
    const contract = lowerText(`struct B
enum A: string
  - a
type D: string
struct C
`);
    expect(contract.types.map(({ name }) => name)).toEqual([
      "B",
      "A",
      "D",
      "C",
    ]);
  });

  test("pass `sensitive` on to the fields that use them", () => {
    const contract = lowerText(`type Secret: string
  + sensitive = true

type Seed: Secret

type Seeds: []Seed

type Known: Seed
  + sensitive = false

struct Account
  - known: Known
  - plain: string
  - secret?: Secret
  - seeds: Seeds
  - bySecret: map<Secret,bool>
  - of: map<string,[]Seed>
  - inner: Inner
  - shown: Secret
    + sensitive = false

struct Inner
  - seed: Seed

service Wallet
  - Open(secret: Secret, name: string) => (account: Account)
  - Read(Inner) => (Inner)
`);
    const sensitiveOf = (fields: readonly Field[]) =>
      fields.filter((each) => each.isSensitive).map(({ name }) => name);
    expect(sensitiveOf(fieldsOf(contract, "Account"))).toEqual([
      ...["secret", "seeds", "bySecret", "of"],
    ]);
    expect(sensitiveOf(fieldsOf(contract, "Inner"))).toEqual(["seed"]);
    const [open, read] = contract.hosts[0]?.services[0]?.methods ?? [];
    expect(sensitiveOf(open?.request.fields ?? [])).toEqual(["secret"]);
    expect(sensitiveOf(read?.request.fields ?? [])).toEqual(["seed"]);
  });

  test("pass `nullable` on to the fields that use them", () => {
    const contract = lowerText(`type Slot: string
  + nullable = true

type Again: Slot

type Slots: []Slot

struct Board
  - plain: string
  - slot: Slot
  - again?: Again
  - slots: Slots
  - byName: map<string,Slot>

service Boards
  - Open(slot: Slot, slots: []Slot) => (board: Board)
`);
    const nullableOf = (fields: readonly Field[]) =>
      fields.filter((each) => each.isNullable).map(({ name }) => name);
    expect(nullableOf(fieldsOf(contract, "Board"))).toEqual(["slot", "again"]);
    const [open] = contract.hosts[0]?.services[0]?.methods ?? [];
    expect(nullableOf(open?.request.fields ?? [])).toEqual(["slot"]);
  });

  test("use the core type as a map key, even if a declaration has its name", () => {
    const contract = lowerText(`
struct String
  - byName: map<string,int32>

enum Int32: uint32
  - A

struct Other
  - byEnum: map<int32,map<INT32,bool>>

service Wallet
  - Read() => (string: String, other: Other)
`);
    const typesOf = (name: string) =>
      fieldsOf(contract, name).map(({ type }) => type);
    const int32 = { kind: "scalar", name: "int32" };
    expect(typesOf("String")).toEqual([
      { kind: "map", key: { kind: "scalar", name: "string" }, value: int32 },
    ]);
    expect(typesOf("Other")).toEqual([
      {
        kind: "map",
        key: int32,
        value: {
          kind: "map",
          key: { kind: "reference", name: "Int32" },
          value: { kind: "scalar", name: "bool" },
        },
      },
    ]);
  });

  test.each([
    ["  - a: bool\n    + deprecated = true", ""],
    ["  - a: bool\n    + deprecated = false", null],
    ['  - a: bool\n    + deprecated = "use b"', "use b"],
    ["  @deprecated\n  - a: bool", ""],
    ['  @deprecated:"use b"\n  - a: bool', "use b"],
  ])("read the deprecation of a field from %j", (field, expected) => {
    const contract = lowerText(`struct User\n${field}\n`);
    expect(fieldsOf(contract, "User")[0]?.deprecated).toBe(expected);
  });

  test("describe their fields", () => {
    const contract = lowerText(`struct User
  # Who it is.
  # origin: stated 2; public
  - id: uint64 # never 0
    + json = userId
    + minimum = 1
    + go.tag.db = user_id
  - tags?: map<kind,[]map<uint32,User>>
  - secret: string
    + sensitive = true
    + nullable = true
    + deprecated = "use token"
  - hidden: string
    + json = -

enum Kind: uint32
  - A
`);
    expect(fieldsOf(contract, "User")).toEqual([
      {
        ...plainField,
        name: "id",
        jsonName: "userId",
        docs: {
          lines: ["Who it is.", "never 0"],
          origins: [
            { kind: "stated", detail: "2" },
            { kind: "public", detail: "" },
          ],
        },
        type: { kind: "scalar", name: "uint64" },
        constraints: { minimum: 1 },
        metadata: [
          { key: "json", value: "userId" },
          { key: "minimum", value: "1" },
          { key: "go.tag.db", value: "user_id" },
        ],
      },
      {
        ...plainField,
        name: "tags",
        jsonName: "tags",
        isOptional: true,
        type: {
          kind: "map",
          // Keys match in any letter case, and use the declared name.
          key: { kind: "reference", name: "Kind" },
          value: {
            kind: "list",
            element: {
              kind: "map",
              key: { kind: "scalar", name: "uint32" },
              value: { kind: "reference", name: "User" },
            },
          },
        },
      },
      {
        ...plainField,
        name: "secret",
        jsonName: "secret",
        type: { kind: "scalar", name: "string" },
        isNullable: true,
        isSensitive: true,
        deprecated: "use token",
        metadata: [
          { key: "sensitive", value: "true" },
          { key: "nullable", value: "true" },
          { key: "deprecated", value: "use token" },
        ],
      },
    ]);
  });

  test("send names for integer enums and values for string enums", () => {
    const contract = lowerText(`enum Kind: int32
  - NONE
  - USER = 5
  # The third.
  - ADMIN
  - LOW = "-1"

enum Side: string
  - buy
  - sell = "SELL it"
`);
    const members = contract.types.map((type) =>
      type.kind === "enum"
        ? type.members.map(({ name, value, jsonValue }) => [
            name,
            value,
            jsonValue,
          ])
        : [],
    );
    expect(members).toEqual([
      [
        ["NONE", "0", "NONE"],
        ["USER", "5", "USER"],
        ["ADMIN", "2", "ADMIN"],
        ["LOW", "-1", "LOW"],
      ],
      [
        ["buy", "buy", "buy"],
        ["sell", "SELL it", "SELL it"],
      ],
    ]);
    expect(typeOf(contract, "Kind")).toMatchObject({ base: "int32" });
    expect(typeOf(contract, "Kind")).toHaveProperty(
      ["members", 2, "docs", "lines"],
      ["The third."],
    );
  });

  test("contain the metadata of aliases", () => {
    const contract = lowerText(`enum Markets: string
  - blur

type Market: string
  + known = Markets
  + title = "a market"
  + accept = integer
  + minLength = 1
  + maxLength = 40
  + pattern = "^[a-z]+$"
  + example = blur

type Link: string
  + format = uri

type Ids: []uint64
  + minItems = 1
  + maxItems = 100
  + uniqueItems = true

type Labels: map<string,string>
  + minProperties = 0
  + maxProperties = 9

type Huge: uint64
  + minimum = 0.5
  + maximum = 18446744073709551615
`);
    expect(typeOf(contract, "Market")).toMatchObject({
      kind: "alias",
      type: { kind: "scalar", name: "string" },
      known: "Markets",
      title: "a market",
      acceptsInteger: true,
      constraints: {
        minLength: 1,
        maxLength: 40,
        pattern: "^[a-z]+$",
        example: "blur",
      },
    });
    const constraints = contract.types.flatMap((type) =>
      type.kind === "alias" && type.name !== "Market" ? type.constraints : [],
    );
    expect(constraints).toEqual([
      { format: "uri" },
      { minItems: 1, maxItems: 100, uniqueItems: true },
      { minProperties: 0, maxProperties: 9 },
      { minimum: 0.5, maximum: 18446744073709551615n },
    ]);
    expect(typeOf(contract, "Link")).toMatchObject({
      known: null,
      title: null,
      acceptsInteger: false,
    });
  });
});

describe("methods", () => {
  test("can have arguments, structs, streams, and files", () => {
    const contract = lowerText(`struct Req
  - id: string
    + json = ID

struct Res

service S
  - Args(a: string, b?: []Req) => (c: bool)
  - Structs(req) => (Res)
  - Nothing()
  - Stream() => stream (tick: uint32)
  - Download(id: string) => (file)
`);
    const [args, structs, nothing, stream, download] = methodsOf(contract);
    expect(args?.request).toEqual({
      kind: "message",
      struct: null,
      isStream: false,
      fields: [
        {
          ...plainField,
          name: "a",
          jsonName: "a",
          type: { kind: "scalar", name: "string" },
        },
        {
          ...plainField,
          name: "b",
          jsonName: "b",
          isOptional: true,
          type: {
            kind: "list",
            element: { kind: "reference", name: "Req" },
          },
        },
      ],
    });
    expect(structs?.request).toEqual({
      kind: "message",
      struct: "Req",
      isStream: false,
      fields: fieldsOf(contract, "Req"),
    });
    expect(structs?.response).toMatchObject({ struct: "Res", fields: [] });
    expect(nothing).toMatchObject({
      request: { struct: null, fields: [] },
      response: { struct: null, fields: [] },
    });
    expect(stream?.request.isStream).toBe(false);
    expect(stream?.response.isStream).toBe(true);
    expect(download?.response).toMatchObject({
      struct: null,
      fields: [{ name: "file", type: { kind: "scalar", name: "file" } }],
    });
  });

  test("have annotations, errors, and credentials", () => {
    const contract = lowerText(`error 1101 NoKey "no key" HTTP 401
error 1001 Denied "denied" HTTP 403

# Public.
type AccessKey: string
  + header = X-Access-Key
  + error = NoKey

type Secret: string
  + header = Authorization
  + scheme = Bearer
  + error = Denied

service S
  @auth:"x-access-key, Authorization" @idempotent
  - A() errors Denied | NoKey | Denied
  @deprecated:"use A" @readonly @internal:x
  - B()
  @deprecated
  - C()
`);
    expect(methodsOf(contract)).toMatchObject([
      {
        name: "A",
        service: "S",
        credentials: ["X-Access-Key", "Authorization"],
        errors: ["Denied", "NoKey"],
        safety: "idempotent",
        deprecated: null,
        annotations: [
          { name: "auth", value: "x-access-key, Authorization" },
          { name: "idempotent", value: null },
        ],
      },
      {
        credentials: [],
        errors: null,
        safety: "readonly",
        deprecated: "use A",
      },
      { errors: null, safety: "none", deprecated: "" },
    ]);
    expect(contract.credentials).toEqual([
      {
        name: "AccessKey",
        docs: { lines: ["Public."], origins: [] },
        key: "X-Access-Key",
        place: "header",
        parameter: "X-Access-Key",
        scheme: null,
        error: "NoKey",
      },
      {
        name: "Secret",
        docs: { lines: [], origins: [] },
        key: "Authorization",
        place: "header",
        parameter: "Authorization",
        scheme: "Bearer",
        error: "Denied",
      },
    ]);
  });

  test("ignore `@auth` if no credential is declared", () => {
    const contract = lowerText("service S\n  @auth:admin\n  - A()\n");
    expect(methodsOf(contract)[0]).toMatchObject({
      credentials: [],
      annotations: [{ name: "auth", value: "admin" }],
    });
  });

  test("have the errors for their credentials and for invalid requests", () => {
    const contract = lowerText(`error 1 NoKey "no key" HTTP 401
error 2 InvalidArgument "invalid" HTTP 400
error 3 Late "late" HTTP 504

type Key: string
  + header = X-Key
  + error = NoKey

service S
  @auth:"X-Key"
  - A(a: string) errors Late
  - B() errors Late
  @auth:"X-Key"
  - C(a: string)
`);
    expect(methodsOf(contract).map(({ errors }) => errors)).toEqual([
      ["Late", "NoKey", "InvalidArgument"],
      ["Late"],
      null,
    ]);
  });

  test("may be REST reads and webhooks", () => {
    const contract = lowerText(`service Reads
  @get:"/tokens/{network}/{ids}" @body:tokens
  - Tokens(network: string, ids: []string) => (tokens: []string)
  @get:"/health"
  - Health() => (ok: bool)
  @get
  - Foreign() => (ok: bool)

service Events
  @webhook
  - Notify(id: string)
`);
    const [tokens, health, foreign, notify] = methodsOf(contract);
    expect(tokens).toMatchObject({
      safety: "readonly",
      route: {
        kind: "rest",
        body: "tokens",
        path: {
          text: "/tokens/{network}/{ids}",
          segments: [
            { kind: "literal", text: "tokens" },
            { kind: "parameter", name: "network" },
            { kind: "parameter", name: "ids" },
          ],
        },
      },
    });
    expect(health?.route).toMatchObject({ kind: "rest", body: null });
    expect(foreign).toMatchObject({
      safety: "none",
      route: { kind: "rpc", path: "/rpc/Reads/Foreign" },
    });
    expect(notify?.route).toEqual({ kind: "webhook" });
    expect(
      contract.hosts[0]?.services.map(({ direction }) => direction),
    ).toEqual(["inbound", "outbound"]);
  });
});

describe("errors", () => {
  test("are sorted by code and listed once each, with the default status 400", () => {
    const contract = lower(
      {
        "a.ridl": `webrpc = v1\nname = a\nerror 20 Late "late" HTTP 503\nerror 3 Same "same"\n`,
        "b.ridl": `webrpc = v1\nname = b\nerror 3 Same "same"\n`,
      },
      "a.ridl",
      "b.ridl",
    );
    expect(contract.errors).toMatchObject([
      { kind: "error", name: "Same", code: 3, message: "same", status: 400 },
      { name: "Late", code: 20, message: "late", status: 503 },
    ]);
  });

  test("use `InvalidArgument` for malformed fields in hosts that declare or import it", () => {
    const declared = `error 1 InvalidArgument "invalid"\n`;
    const hostOf = (name: string, errors: string): string =>
      `webrpc = v1\nversion = v1.0.0\n${errors}
error 2 Late "late"
service ${name}
  - Get(id: string) errors Late
`;
    const { hosts } = lower(
      {
        "common.ridl": `webrpc = v1\n${declared}`,
        "a.ridl": hostOf("A", declared),
        "b.ridl": hostOf("B", "import common.ridl\n"),
        "c.ridl": hostOf("C", ""),
      },
      "a.ridl",
      "b.ridl",
      "c.ridl",
    );
    expect(hosts.map(({ validationError }) => validationError)).toEqual([
      "InvalidArgument",
      "InvalidArgument",
      "WebrpcBadRequest",
    ]);
    expect(
      hosts
        .flatMap(({ services }) => services.flatMap(({ methods }) => methods))
        .map(({ errors }) => errors),
    ).toEqual([
      ["Late", "InvalidArgument"],
      ["Late", "InvalidArgument"],
      ["Late"],
    ]);
  });
});

describe("messages", () => {
  test("resolve a struct's types in the document that declares the struct", () => {
    const contract = lower(
      {
        "common.ridl": `webrpc = v1\nenum Kind: uint32\n  - A\nstruct Body\n  - names: map<kind,string>\n`,
        "api.ridl": `webrpc = v1\nname = api\nversion = v1\nimport common.ridl\n  - Body\nservice Api\n  - Get(Body) => (Body)\n`,
      },
      "api.ridl",
    );
    const [method] = methodsOf(contract);
    expect(method?.request.fields).toEqual(fieldsOf(contract, "Body"));
    expect(method?.request.fields).toMatchObject([
      { type: { kind: "map", key: { kind: "reference", name: "Kind" } } },
    ]);
  });
});

describe("docs", () => {
  test("leave no gap for an `origin:` line", () => {
    const contract = lowerText(`#
# First.
#
# Second.
#
# origin: decided; stated 4.4
struct A
`);
    expect(typeOf(contract, "A").docs).toEqual({
      lines: ["First.", "", "Second."],
      origins: [
        { kind: "decided", detail: "" },
        { kind: "stated", detail: "4.4" },
      ],
    });
  });
});

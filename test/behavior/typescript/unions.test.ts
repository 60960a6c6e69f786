import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { emitContract } from "../../../generator/4-emit/emit.js";
import { compileContract } from "../../../generator/compile.js";
import { checkResponses } from "../../../runtime/typescript/client/check-responses.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { importContract } from "../../support/import-contract.js";
import { drawSome } from "../../support/draw-some.js";
import { targetsWith } from "../../support/golden-cases.js";
import { importEmitted } from "../../support/import-emitted.js";
import { exportedFunction, type Exports } from "../../support/run-emitted.js";

const source = `webrpc = v1
name = shop
version = v1
basepath = /rpc

struct Created
  - kind: string
    + enum = created|__proto__|toString
  - at: timestamp
  - note?: string
struct Failed
  - kind: string
    + enum = failed
  - cents: bigint
type Event: any
  + oneOf = Created|Failed
  + tag = kind
type OpenEvent: any
  + oneOf = Created|Failed
  + tag = kind
  + open = true

struct Yes
  - constructor: bool
    + enum = true
struct No
  - constructor: bool
    + enum = false
type Answer: any
  + oneOf = Yes|No
  + tag = constructor

struct Small
  - size: int64
    + enum = 1
  - at: timestamp
struct Large
  - size: int64
    + enum = 2|9007199254740993
type Box: any
  + oneOf = Small|Large
  + tag = size
type OpenBox: any
  + oneOf = Small|Large
  + tag = size
  + open = true

struct Card
  - constructor: string
  - toString: timestamp
struct Iban
  - hasOwnProperty: string
type Method: any
  + oneOf = Card|Iban|null

type Tree: any
  + oneOf = "Branch | []Tree | Leaf | string"
struct Branch
  - left: Tree
  - right: Tree

struct Leaf
  - a: Tree

struct Hidden
  - event: Event
    + sensitive = true
  - events: []Event
    + sensitive = true
  - tree?: Tree
    + sensitive = true

struct Login
  - kind: string
    + enum = password
  - text: string
struct Token
  - kind: string
    + enum = token
  - text: string
    + sensitive = true
type Secret: any
  + oneOf = Login|Token
  + tag = kind

struct Payment
  - id: string
  - card?: string
    + choice = method
  - iban?: string
    + choice = method

service Shop
  - Put(event?: Event, open?: OpenEvent, answer?: Answer, box?: Box, openBox?: OpenBox, method?: Method, tree?: Tree, secret?: Secret, payment?: Payment) => (event?: Event, open?: OpenEvent, answer?: Answer, box?: Box, openBox?: OpenBox, method?: Method, tree?: Tree, payment?: Payment)
  - Hide(Hidden)
  - Set(events: []Event, byName: map<string,Event>) => (events: []Event)
`;

const onError = vi.fn();
let emitted: Exports;

/** Returns what it receives. */
let server: RpcServer;

beforeEach(() => {
  onError.mockReset();
});

beforeAll(async () => {
  const path = "shop.ridl";
  const { value, diagnostics } = compileContract([path], {
    read: (asked) => (asked === path ? source : null),
  });
  if (value === null) {
    return expect.unreachable(
      diagnostics.map(({ message }) => message).join("; "),
    );
  }
  const files = emitContract(
    value,
    targetsWith({}),
    {
      int64: "bigint",
      timestamp: "date",
      runtime: "import",
      importExtension: ".js",
    },
    { runtimeSources: new Map() },
  );
  emitted = await importEmitted(files, [
    'export * from "/index.js";',
    'export * from "/server.js";',
    'export * from "/validators.js";',
  ]);
  const create = exportedFunction(emitted, "createShopServer");
  const put = (request: unknown): unknown => request;
  const shop = { put, set: put, hide: () => ({}) };
  server = create({ handlers: { shop }, onError }) as RpcServer;
});

/** Sends JSON to a method. */
async function send(text: string, method = "Put") {
  const response = await server.fetch(
    new Request(`http://localhost/rpc/Shop/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: text,
    }),
  );
  const body = await response.text();
  return { status: response.status, body };
}

/** Calls `Put` with a client whose server sends a given response. */
async function receive(text: string, options: object = {}) {
  const create = exportedFunction(emitted, "createShopClient");
  const fetch = async (): Promise<Response> => new Response(text);
  const client = Object(create({ baseUrl: "", fetch, ...options }));
  return client.put.result({});
}

const values = [
  ...["null", "[]", "{}", "0", "1", "2", "1.5", "1e400", "9007199254740993"],
  ...['""', '"created"', '["created"]', '{"kind":"created"}', "true"],
  ...['"__proto__"', '"constructor"', '"toString"', '"hasOwnProperty"'],
  `"${"x".repeat(100_000)}"`,
];

const fields = [
  ...["event", "open", "answer", "box", "openBox", "method", "tree"],
  ...["secret", "payment"],
];

const keys = [
  ...["kind", "constructor", "size", "__proto__", "toString"],
  ...["hasOwnProperty", "left", "card", "iban"],
];

describe("a server", () => {
  it.each([...values.entries()])(
    "never fails because of odd value %i",
    async (at, value) => {
      const bodies = fields.flatMap((field) => [
        `{"${field}":${value}}`,
        ...keys.flatMap((key) => [
          `{"${field}":{"${key}":${value}}}`,
          `{"${field}":{"${key}":1,"${key}":${value}}}`,
          `{"${field}":{"${key}":${value},"at":"2024-02-29T12:00:00Z","cents":"7","id":""}}`,
        ]),
      ]);
      for (const text of drawSome(bodies, 4, at)) {
        const { body, status } = await send(text);
        expect([200, 400], `${text} ${body}`).toContain(status);
        if (status === 400) expect(body.length).toBeLessThan(600);
      }
      for (const key of keys) {
        const text = `{"events":[{"${key}":${value}}],"byName":{"__proto__":{"${key}":${value}}}}`;
        expect((await send(text, "Set")).status).toBe(400);
      }
      expect(onError.mock.calls.flat()).toEqual([]);
    },
  );

  it.each([90, 101, 1000, 10_000])(
    "answers %d levels in a recursive union",
    async (levels) => {
      const trees = [
        "[".repeat(levels) + "]".repeat(levels),
        `${'{"a":'.repeat(levels)}""${"}".repeat(levels)}`,
        `${'{"right":"","left":'.repeat(levels)}""${"}".repeat(levels)}`,
      ];
      for (const tree of trees) {
        const { status } = await send(`{"tree":${tree}}`);
        expect(status).toBe(levels < 100 ? 200 : 400);
      }
    },
  );

  it.each([
    ['{"event":{"kind":"creatd"}}', /\(did you mean \\"created\\"\?\)/u],
    ['{"event":{"kind":{"a":1}}}', /event\.kind: .* got an object/u],
    ['{"event":{}}', /event\.kind: .* got nothing/u],
    ['{"answer":{"constructor":"true"}}', /one of true, false, got/u],
    ['{"answer":{}}', /answer\.constructor: .* got nothing/u],
    ['{"box":{"size":9007199254740995}}', /got 9007199254740995/u],
    ['{"open":{"kind":7}}', /open\.kind: .* got 7/u],
    ['{"method":{"toString":1}}', /with .*constructor.* and .*toString/u],
    ['{"payment":{"id":"","card":"","iban":""}}', /exactly one of/u],
    ['{"payment":{"id":""}}', /exactly one of/u],
    ['{"payment":{"card":"a","__proto__":{"id":"a"}}}', /payment\.id: /u],
    ['{"secret":{"kind":"token","text":1}}', /got a hidden value/u],
  ])("says what is wrong with %s", async (text, expected) => {
    const { body, status } = await send(text);
    expect(status).toBe(400);
    expect(body).toMatch(expected);
  });

  it("says nothing about a sensitive union", async () => {
    const text =
      '{"event":{"kind":"creatd"},"events":[{"kind":"faild"}],"tree":77}';
    const { body, status } = await send(text, "Hide");
    expect(status).toBe(400);
    expect(body).not.toMatch(/creatd|faild|77|did you mean/u);
    expect(body.match(/got a hidden value/gu)).toHaveLength(3);
  });
});

describe("a client", () => {
  const unknown = '{"event":{"kind":"new"},"open":{"kind":"new","n":[1]}}';

  it("passes on variants that it does not know", async () => {
    const { value } = await receive(unknown);
    expect(value).toEqual(JSON.parse(unknown));
  });

  it("keeps null in unknown variants beside an optional field", async () => {
    // No variant of the union has an optional field, so only `next` needs a reader.
    const made = await importContract(`webrpc = v1
name = log
version = v1

struct Created
  - kind: string
    + enum = created
struct Moved
  - kind: string
    + enum = moved
type Event: any
  + oneOf = Created|Moved
  + tag = kind
  + open = true

service Log
  - Read() => (events: []Event, next?: string)
`);
    const events = [{ kind: "renamed", to: null, x: { y: null } }];
    const fetch = async () => Response.json({ events, next: null });
    const create = exportedFunction(made, "createLogClient");
    const log = create({ baseUrl: "", fetch }) as {
      read(): Promise<unknown>;
    };
    expect(await log.read()).toEqual({ events });
  });

  it("reports an unknown variant of a closed union if it validates", async () => {
    const { error } = await receive(unknown, {
      use: [checkResponses(Object(emitted["shopResponseChecks"]), "throw")],
    });
    expect(error).toMatchObject({ name: "WebrpcBadResponse" });
    expect(String(error.cause)).toMatch(/event\.kind: .* got "new"/u);
    expect(String(error.cause)).not.toMatch(/open/u);
  });
});

import { expect, test } from "vitest";
import { createHash } from "node:crypto";
import type { RpcServer } from "../../runtime/typescript/server/server.js";
import {
  idempotency,
  memoryAnswers,
} from "../../runtime/typescript/server/idempotency.js";
import {
  checkResponses,
  onSkew,
} from "../../runtime/typescript/client/interceptors.js";
import type { Fetch } from "../../runtime/typescript/client/call.js";
import { inProcess } from "../../runtime/typescript/hosts/in-process.js";
import { recordHistory } from "../../tools/breaking/compatibility/record.js";
import { headerOf } from "../../tools/breaking/compatibility/digest.js";
import { exportedFunction, type Exports } from "../support/run-emitted.js";
import {
  buildVersion,
  loadVersion,
  type Modes,
} from "./pairs/build-version.js";

const modes = { int64: "bigint", timestamp: "string" } as const;
const rounded = { ...modes, int64: "number" } as const;
const sha256 = (text: string): string =>
  createHash("sha256").update(text).digest("base64url");

function build(version: string, text: string, settings: Modes = modes) {
  const document = `webrpc = v1\nname = shop\nversion = ${version}\n\n${text}`;
  const built = buildVersion({ "shop.ridl": document }, settings);
  if (built === null) throw new Error(`the contract has errors: ${text}`);
  const { contract } = built;
  const release = { whole: contract, part: contract, modes: settings };
  return { built, release };
}

type Built = ReturnType<typeof build>;

/** Serves a contract, and returns the causes of errors of an old client. */
function serve(
  then: string,
  now: string,
  options: object,
  settings: Modes = modes,
) {
  const [old, recent] = [build("v1.0.0", then), build("v1.1.0", now, settings)];
  const releases = [old.release];
  const input = { current: recent.release, releases, sha256 };
  const known = recordHistory(input).hosts["shop"];
  if (!known) throw new Error("the host is not in the history");
  const [past = known] = known.past;
  const header = headerOf({ name: "shop" }, known.digest, known.version);
  const skew = new Map([
    ["shop", { ...known, header, announced: new Set<string>() }],
  ]);
  const telling = { ...settings, skew };
  const { exports } = loadVersion({ ...recent.built, modes: telling });
  const create = exportedFunction(exports, "createShopServer");
  const server = create(options) as RpcServer;
  return async (path: string, init: RequestInit): Promise<unknown> => {
    const headers = new Headers(init.headers);
    headers.set(
      "webrpc",
      headerOf({ name: "shop" }, past.digest, past.version),
    );
    const request = new Request(`http://localhost${path}`, {
      ...init,
      headers,
    });
    const { cause } = Object(await (await server.fetch(request)).json());
    return cause;
  };
}

const json = { "content-type": "application/json" };
const reason = "; this client was made from v1.0.0; in v1.1.0: ";

test("names a new credential only if it is missing", async () => {
  const service = (marks: string) => `type Key: string
  + header = X-Key
  + error = Denied

error 1 Denied "denied" HTTP 401

service Shop
${marks}  - Buy(id: uint32) => ()
`;
  const call = (mark: string, headers: object, before = "") =>
    serve(service(before), service(mark), {
      handlers: { shop: { buy: () => ({}) } },
      verifyKey: () => false,
    })("/rpc/Shop/Buy", {
      method: "POST",
      headers: { ...json, ...headers },
      body: '{"id":1}',
    });
  expect(await call("  @auth:X-Key\n", {})).toContain(
    `header X-Key: expected a credential, got nothing${reason}`,
  );
  expect(await call("  @auth:X-Key\n", { "x-key": "1" })).toBe(
    "this client was made from v1.0.0, and this server from v1.1.0",
  );
  expect(await call("  @auth:X-Key\n", {}, '  @auth:"X-Key|none"\n')).toContain(
    `header X-Key: expected a credential, got nothing${reason}`,
  );
});

test("names a change of credentials only if it refuses the call", async () => {
  const service = (schemes: string, marks: string) => `type Token: string
  + header = Authorization
${schemes}  + error = Denied
type Key: string
  + header = X-Key
  + error = Denied
type Session: string
  + cookie = sid
  + error = Denied

error 1 Denied "denied" HTTP 401

service Shop
${marks}  - Buy(id: uint32) => ()
  @auth:"Authorization,X-Key,Cookie:sid|none"
  - Ping()
`;
  const call = (
    [before, after]: readonly [string, string],
    headers: object,
    [then, now]: readonly [string, string] = ["", ""],
  ) =>
    serve(service(then, before), service(now, after), {
      handlers: { shop: { buy: () => ({}), ping: () => ({}) } },
      ...{ verifyToken: () => true, verifyKey: () => true },
      verifySession: () => true,
    })("/rpc/Shop/Buy", {
      method: "POST",
      headers: { ...json, ...headers },
      body: '{"id":1}',
    });
  const versions =
    "this client was made from v1.0.0, and this server from v1.1.0";
  const marks = (alternatives: string) => `  @auth:"${alternatives}"\n`;

  // Calls with the old scheme are refused, although calls without are accepted.
  const schemes = ["  + scheme = Bearer\n", "  + scheme = Basic\n"] as const;
  expect(
    await call(
      [marks("Authorization"), marks("Authorization|none")],
      { authorization: "Bearer a" },
      schemes,
    ),
  ).toContain(`with Basic: expected a credential, got nothing${reason}`);

  // A cookie that the old contract did not read.
  expect(
    await call(["", marks("Cookie:sid|none")], { cookie: "sid=1; sid=2" }),
  ).toContain(
    "got none or several; this client was made from v1.0.0; in v1.1.0: `Shop.Buy` now accepts `Session` (may break)",
  );

  // Both contracts refuse a part of a list, and only one refuses nothing.
  const parts = [
    marks("X-Key,Authorization|none"),
    marks("X-Key,Authorization"),
  ] as const;
  expect(await call(parts, { "x-key": "1" })).toBe(
    `header Authorization: expected a credential, got nothing; ${versions}`,
  );
  expect(await call(parts, {})).toContain(
    `header X-Key: expected a credential, got nothing${reason}`,
  );

  // Both refuse calls without the header.
  const alone = [marks("Authorization"), marks("Authorization")] as const;
  const bearer = ["  + scheme = Bearer\n", ""] as const;
  expect(await call(alone, {}, bearer)).toBe(
    `header Authorization: expected a credential, got nothing; ${versions}`,
  );
});

test("names a required idempotency key only if it is missing", async () => {
  const service = (mark: string) => `service Shop
  @http:"POST /pay" @idempotencyKey${mark}
  - Pay(sum: uint32) => (id: uint32)
`;
  const send = serve(service(":optional"), service(""), {
    handlers: { shop: { pay: () => ({ id: 1 }) } },
    idempotency: idempotency(memoryAnswers()),
  });
  const pay = (key: string | null, sum: number) =>
    send("/pay", {
      method: "POST",
      headers: { ...json, ...(key !== null && { "idempotency-key": key }) },
      body: JSON.stringify({ sum }),
    });
  expect(await pay(null, 1)).toContain(
    `got nothing${reason}\`Shop.Pay\` now requires an idempotency key (breaking)`,
  );
  const versions =
    "; this client was made from v1.0.0, and this server from v1.1.0";
  expect(await pay("without quotes", 1)).toContain(`quotes"${versions}`);
  await pay('"1"', 1);
  expect(await pay('"1"', 2)).toBe(
    `header Idempotency-Key: expected a new key, got the key of another request${versions}`,
  );
});

/** Serves a method with one struct as its request, which changes. */
function serveOrder(
  then: string,
  now: string,
  settings: Modes = modes,
): (order: object) => Promise<unknown> {
  const text = (order: string) => `${order}
service Shop
  - Buy(order: Order, others?: []Order) => ()
`;
  const handlers = { shop: { buy: () => ({}) } };
  const send = serve(text(then), text(now), { handlers }, settings);
  return (body) =>
    send("/rpc/Shop/Buy", {
      method: "POST",
      headers: json,
      // JSON.stringify cannot write large integers.
      body: JSON.stringify(body).replaceAll('"LARGE"', "1152921504606846977"),
    });
}

const order = (field: string, limits = "") =>
  `struct Order\n  - ${field}\n${limits}`;

test("names a limit only if the old contract allowed the value", async () => {
  const send = serveOrder(
    order("count: int32", "    + minimum = 0\n"),
    order("count: int32", "    + minimum = 2\n    + maximum = 9\n"),
  );
  const least = `${reason}\`Order.count\` allows fewer values in requests: \`minimum\` changed from 0 to 2 (breaking)`;
  const most = `${reason}\`Order.count\` allows fewer values in requests: \`maximum = 9\` was added (breaking)`;
  expect(await send({ order: { count: 1 } })).toContain(least);
  expect(await send({ order: { count: 10 } })).toContain(most);
  // Also where the type occurs a second time.
  expect(
    await send({ order: { count: 5 }, others: [{ count: 10 }] }),
  ).toContain(most);
  expect(await send({ order: { count: -1 } })).toContain(
    "; this client was made from v1.0.0, and this server from v1.1.0",
  );
});

test("names another type only if the old contract allowed the value", async () => {
  const send = serveOrder(order("tags: []string"), order("tags: string"));
  expect(await send({ order: { tags: ["a"] } })).toContain(
    `${reason}\`Order.tags\` had the JSON type array`,
  );
  expect(await send({ order: { tags: [7] } })).not.toContain(reason);
});

test("names a setting that no longer allows large integers", async () => {
  const text = order("count: int64");
  const send = serveOrder(text, text, rounded);
  expect(await send({ order: { count: "LARGE" } })).toContain(
    "; in v1.1.0: `Order.count` in requests was `int64` (a `bigint` in code) and is now `int64` (a `number` in code) (breaking)",
  );
  expect(await send({ order: { count: "abc" } })).toBe(
    'order.count: expected an integer, got "abc"',
  );
});

/** Returns code for a contract, whose clients and servers name it. */
function loadWith(recent: Built, releases: Built[], settings: Modes): Exports {
  const input = {
    ...{ current: recent.release, sha256 },
    releases: releases.map(({ release }) => release),
  };
  const known = recordHistory(input).hosts["shop"];
  if (!known) throw new Error("the host is not in the history");
  const header = headerOf({ name: "shop" }, known.digest, known.version);
  const announced = new Set(["Shop.Count"]);
  const skew = new Map([["shop", { ...known, header, announced }]]);
  const modes = { ...settings, skew };
  return loadVersion({ ...recent.built, modes }).exports;
}

test("names a setting that allows larger integers in responses as a possible reason", async () => {
  const text = "service Shop\n  - Count() => (count: int64)\n";
  const old = build("v1.0.0", text, rounded);
  const recent = build("v1.1.0", text);
  let count: unknown = 2n ** 60n;
  const server = exportedFunction(
    loadWith(recent, [old], modes),
    "createShopServer",
  )({ handlers: { shop: { count: () => ({ count }) } } }) as RpcServer;
  const code = loadWith(old, [], rounded);
  const seen: unknown[] = [];
  const callWith = async (fetch: Fetch): Promise<unknown> => {
    const client = exportedFunction(
      code,
      "createShopClient",
    )({
      baseUrl: "",
      fetch,
      use: [
        onSkew((skew) => void seen.push(skew)),
        checkResponses(code["shopResponseChecks"] as never, "throw"),
      ],
    }) as { count: { result(): Promise<object> } };
    const { error } = Object(await client.count.result());
    return error?.cause;
  };
  const send = inProcess(server);
  const fault = "count: expected an integer, got about 1152921504606847000";
  expect(await callWith(send)).toBe(
    `${fault}; a setting of the server changed, which may be the reason; in v1.1.0: \`Shop.Count.count\` in responses was \`int64\` (a \`number\` in code) and is now \`int64\` (a \`bigint\` in code) (breaking)`,
  );
  // A new client would have the same contract.
  expect(seen).toEqual([]);
  count = 7n;
  expect(await callWith(send)).toBeUndefined();
  const spoil: Fetch = async (url, init) => {
    const { headers } = await send(url, init);
    return new Response('{"count":"7"}', { headers });
  };
  expect(await callWith(spoil)).toBe('count: expected an integer, got "7"');
});

test("names the method that a client meant if another has its address", async () => {
  const service = (list: string, find: string) => `service Shop
  @http:"PUT ${list}"
  - List(id: uint32) => ()
  @http:"PUT ${find}"
  - Find(id: uint32, word: string) => ()
`;
  const send = serve(
    service("/books/{id}", "/words/{id}"),
    service("/lists/{id}", "/books/{id}"),
    { handlers: { shop: { list: () => ({}), find: () => ({}) } } },
  );
  const cause = await send("/books/7", {
    method: "PUT",
    headers: json,
    body: "{}",
  });
  expect(cause).toContain(
    "; this client was made from v1.0.0, which may be the reason; in v1.1.0: `Shop.List` was `PUT /books/{id}` and is now `PUT /lists/{id}`",
  );
});

test("names a scheme that the server now reads as part of the credential", async () => {
  const service = (scheme: string) => `type Token: string
  + header = Authorization
${scheme}  + error = Denied

error 1 Denied "denied" HTTP 401

service Shop
  @auth:Authorization
  - Buy(id: uint32) => ()
`;
  const call = (authorization: string) =>
    serve(service("  + scheme = Bearer\n"), service(""), {
      handlers: { shop: { buy: () => ({}) } },
      verifyToken: (token: string) => token === "good",
    })("/rpc/Shop/Buy", {
      method: "POST",
      headers: { ...json, authorization },
      body: '{"id":1}',
    });
  expect(await call("bearer good")).toBe(
    "this client was made from v1.0.0; in v1.1.0: `Token` was sent as `authorization: bearer …` and is now `authorization: …` (breaking)",
  );
  expect(await call("bad")).toBe(
    "this client was made from v1.0.0, and this server from v1.1.0",
  );
});

import { getEventListeners } from "node:events";
import { beforeAll, expect, it } from "vitest";
import { emitContract } from "../../generator/4-emit/emit.js";
import { compileContract } from "../../generator/compile.js";
import { helperFile } from "../../tools/migrate/change/helper-file.js";
import { fillIn } from "../../tools/migrate/hey-api/api-client-file.js";
import { targetsWith } from "../support/golden-cases.js";
import { importEmitted } from "../support/import-emitted.js";
import { exportedFunction, type Exports } from "../support/run-emitted.js";

const contract = `webrpc = v1
name = shop
version = v1.0.0

service Shop
  @get:"/v2/orders"
  - CountOrders() => (count: uint32)
`;

/** The client that `ridl migrate hey-api` writes. */
let emitted: Exports;

beforeAll(async () => {
  const { value } = compileContract(["shop.ridl"], { read: () => contract });
  const files = emitContract(
    value ?? expect.unreachable(),
    targetsWith({}),
    {
      ...{ int64: "number", timestamp: "string" },
      ...{ runtime: "import", importExtension: ".js" },
    },
    { runtimeSources: new Map() },
  );
  const { text } = helperFile("hey-api/api-client.ts", "createApiClient", {
    "../contract/client.js": "./client.js",
  });
  const own = fillIn(text, {
    createContractClient: "createShopClient",
    ContractClient: "ShopClient",
    '"/prefix"': '"/v2"',
  });
  emitted = await importEmitted(
    [...files, { path: "api-client.ts", text: own }],
    ['export * from "/api-client.js";'],
  );
});

/** Creates a client, and lists its requests. */
function createClient(config: object) {
  const requests: Request[] = [];
  const client = exportedFunction(
    emitted,
    "createApiClient",
  )({
    baseUrl: "https://shop.example/v2",
    fetch: async (request: Request) => {
      requests.push(request);
      return Response.json({ count: 1 });
    },
    ...config,
  });
  return { ...Object(client), requests };
}

it("does not send a header that was set to null", async () => {
  const headers = { Authorization: "Bearer secret", "X-Team": "blue" };
  const { countOrders, requests, setConfig } = createClient({ headers });
  await countOrders();
  setConfig({ headers: { authorization: null, "X-Team": undefined } });
  await countOrders();
  const sent = requests.map((request: Request) =>
    ["authorization", "x-team"].map((name) => request.headers.get(name)),
  );
  expect(sent).toEqual([
    ["Bearer secret", "blue"],
    [null, "blue"],
  ]);
});

it("sends objects in headers as JSON, and each value of a list", async () => {
  const { countOrders, requests, setConfig } = createClient({
    headers: new Headers({ "X-Tags": "a" }),
  });
  setConfig({
    headers: { "X-Filter": { kind: 1 }, "X-Tags": ["b", "c"], "X-Page": 2 },
  });
  await countOrders();
  const [{ headers }] = requests;
  expect(headers.get("x-filter")).toBe('{"kind":1}');
  expect(headers.get("x-tags")).toBe("a, b, c");
  expect(headers.get("x-page")).toBe("2");
});

it.each(["client", "call"])(
  "aborts a request with the signal of the %s",
  async (aborted) => {
    const signals = {
      client: new AbortController(),
      call: new AbortController(),
    };
    const { countOrders, requests } = createClient({
      signal: signals.client.signal,
    });
    await countOrders({}, { signal: signals.call.signal });
    await countOrders();
    signals[aborted === "client" ? "client" : "call"].abort();
    expect(requests.map((request: Request) => request.signal.aborted)).toEqual([
      true,
      aborted === "client",
    ]);
  },
);

it.each(["client", "call"])(
  "passes a signal of the %s on during a call, and then lets go of it",
  async (aborted) => {
    const client = new AbortController();
    const call = new AbortController();
    let reason: unknown;
    const { countOrders } = createClient({
      signal: client.signal,
      fetch: async (request: Request) => {
        (aborted === "client" ? client : call).abort("left");
        reason = request.signal.reason;
        return Response.json({ count: 1 });
      },
    });
    await Promise.allSettled([countOrders({}, { signal: call.signal })]);
    const left = aborted === "client" ? "left" : { cause: "left" };
    expect({ reason }).toMatchObject({ reason: left });
    for (const { signal } of [client, call])
      expect(getEventListeners(signal, "abort")).toEqual([]);
  },
);

it("keeps no listeners of a call that ended at the signal of the client", async () => {
  const client = new AbortController();
  const { countOrders } = createClient({ signal: client.signal });
  await countOrders({}, { signal: new AbortController().signal });
  expect(getEventListeners(client.signal, "abort")).toEqual([]);
});

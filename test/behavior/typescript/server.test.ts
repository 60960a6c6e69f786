import { describe, expect, it } from "vitest";
import { RpcError } from "../../../runtime/typescript/wire/errors.js";
import {
  composeServers,
  createKey,
  type ErrorInfo,
  type RequestContext,
  type RpcServer,
  type ServerMethod,
} from "../../../runtime/typescript/server/server.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import { readRest } from "../../../runtime/typescript/codegen/read-requests.js";
import { stringifyJson } from "../../../runtime/typescript/wire/json.js";
import { TransportError } from "../../../runtime/typescript/client/transport-error.js";
import { isRecord } from "../../../runtime/typescript/values/validation.js";
import type { Report } from "../../../runtime/typescript/values/validation.js";
import {
  createSampleServer,
  plainRow,
  sampleErrors,
  sampleMethods,
  sampleOptions,
} from "./sample-server.js";

/** Creates a server with one method, `/rpc/API/Run`, and this handler. */
function createRunner(
  run: (request: unknown, context: RequestContext) => unknown,
  overrides: Partial<ServerMethod> = {},
  options: object = {},
): RpcServer {
  const row: ServerMethod = {
    ...plainRow,
    service: "API",
    name: "Run",
    handler: ["api", "run"],
    route: { kind: "rpc", path: "/rpc/API/Run" },
    ...overrides,
  };
  const whole: object = { handlers: { api: { run } }, ...options };
  return createServer(whole, [row]);
}

async function post(
  server: RpcServer,
  path: string,
  body: string,
): Promise<{ status: number; text: string }> {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body };
  const response = await server.fetch(new Request(`http://host${path}`, init));
  return { status: response.status, text: await response.text() };
}

/** Records the arguments of `onError`. */
function createLog() {
  const entries: { error: unknown; info: ErrorInfo }[] = [];
  const onError = (error: unknown, info: ErrorInfo): void => {
    entries.push({ error, info });
  };
  return { entries, onError };
}

function checkPage(value: unknown, report: Report): void {
  if (!isRecord(value)) return report.fail("an object", value);
  report.enter("page");
  const page = value["page"];
  if (!isRecord(page)) report.fail("an object", page);
  else if (page["size"] !== 30) report.failAt("size", "30", page["size"]);
  report.leave();
}

describe("the context", () => {
  it("contains functions that handlers can destructure", async () => {
    const nameKey = createKey<string>("name");
    const server = createRunner((_, { get, header, remainingMs, set }) => {
      set(nameKey, header("content-type") ?? "");
      return { name: get(nameKey), isInTime: remainingMs() > 0 };
    });
    expect(await post(server, "/rpc/API/Run", "{}")).toEqual({
      status: 200,
      text: '{"name":"application/json","isInTime":true}',
    });
  });
});

describe("onError", () => {
  it("receives exceptions unchanged", async () => {
    const { entries, onError } = createLog();
    const boom = new Error("boom");
    const server = createRunner(() => Promise.reject(boom), {}, { onError });
    expect((await post(server, "/rpc/API/Run", "{}")).status).toBe(500);
    expect(entries).toHaveLength(1);
    expect(entries[0]?.error).toBe(boom);
    expect(entries[0]?.info).toMatchObject({
      service: "API",
      method: "Run",
      failures: [],
    });
    expect(entries[0]?.info.request.target).toBe("/rpc/API/Run");
  });

  it("receives errors with a status of 500 or above, but not callers' errors", async () => {
    const { entries, onError } = createLog();
    for (const status of [400, 499, 500, 599]) {
      const error = new RpcError({ ...sampleErrors.Geoblocked, status });
      const run = (): never => {
        throw error;
      };
      const server = createRunner(run, {}, { onError });
      expect((await post(server, "/rpc/API/Run", "{}")).status).toBe(status);
    }
    await post(
      createRunner(() => ({}), {}, { onError }),
      "/rpc/API/Run",
      "[",
    );
    const statuses = entries.map(({ error }) =>
      Reflect.get(Object(error), "status"),
    );
    expect(statuses).toEqual([500, 599]);
  });

  it("receives a rejection with a status of 500 or above as an RpcError", async () => {
    const { entries, onError } = createLog();
    const validationError = { ...sampleErrors.Geoblocked, status: 500 };
    const row = { checkRequest: checkPage, validationError };
    const server = createRunner(() => ({}), row, { onError });
    expect((await post(server, "/rpc/API/Run", "{}")).status).toBe(500);
    expect(entries).toHaveLength(1);
    expect(entries[0]?.error).toBeInstanceOf(RpcError);
    expect(entries[0]?.error).toMatchObject({
      name: "Geoblocked",
      cause: "page: expected an object, got nothing",
    });
  });

  it("receives a failure in createState", async () => {
    const { entries, onError } = createLog();
    const createState = () => Promise.reject(new Error("no database"));
    const server = createSampleServer({ createState, onError });
    const { status, text } = await post(server, "/rpc/API/Echo", "{}");
    expect([status, text]).toEqual([
      500,
      expect.not.stringContaining("database"),
    ]);
    expect(entries).toHaveLength(1);
  });

  it.each([
    () => {
      throw new Error("log is full");
    },
    () => Promise.reject(new Error("log is full")),
  ])("may itself fail", async (onError) => {
    const run = () => Promise.reject(new Error("boom"));
    const server = createRunner(run, {}, { onError });
    const { status, text } = await post(server, "/rpc/API/Run", "{}");
    expect(status).toBe(500);
    expect(JSON.parse(text)).toEqual({
      error: "WebrpcInternalError",
      code: -7,
      msg: "internal error",
      status: 500,
    });
  });
});

describe("responses", () => {
  const invalid = { page: { size: 31 } };

  it("cause a 500 if they are invalid, and the log contains the location of the fault", async () => {
    const { entries, onError } = createLog();
    const row = { checkResponse: checkPage };
    const server = createRunner(() => invalid, row, { onError });
    const { status, text } = await post(server, "/rpc/API/Run", "{}");
    expect(status).toBe(500);
    expect(JSON.parse(text)).toEqual({
      error: "WebrpcBadResponse",
      code: -5,
      msg: "bad response",
      status: 500,
    });
    expect(entries[0]?.info.failures).toEqual([
      { path: ["page", "size"], expected: "30", got: "31" },
    ]);
    expect(String(entries[0]?.error)).toBe(
      "InvalidResponseError: response of API.Run violates the contract: page.size: expected 30, got 31",
    );
  });

  it.each([
    ["log", 1],
    ["off", 0],
  ])(
    "with validateResponses %s, are sent even if they are invalid",
    async (validateResponses, count) => {
      const { entries, onError } = createLog();
      const options = { onError, validateResponses };
      const server = createRunner(
        () => invalid,
        { checkResponse: checkPage },
        options,
      );
      const { status, text } = await post(server, "/rpc/API/Run", "{}");
      expect([status, JSON.parse(text)]).toEqual([200, invalid]);
      expect(entries).toHaveLength(count);
    },
  );

  it("are not sent if they lack the field that makes up the body", async () => {
    const { entries, onError } = createLog();
    const row: Partial<ServerMethod> = {
      route: { kind: "rest", read: readRest, path: "/page", body: "page" },
      checkResponse: () => {},
    };
    const server = createRunner(() => ({}), row, { onError });
    const { status } = await server.fetch(new Request("http://host/page"));
    expect(status).toBe(500);
    expect(String(entries[0]?.error)).toContain("there is nothing to send");
  });

  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const trap = Object.defineProperty({}, "page", {
    enumerable: true,
    get: () => {
      throw new Error("trap");
    },
  });
  it.each([
    ["a cycle", circular, plainRow],
    ["a cycle, printed", circular, { printResponse: stringifyJson }],
    ["a getter that throws", trap, { checkResponse: checkPage }],
    ["null", null, plainRow],
    ["a list", [], plainRow],
    [
      "a value that cannot be encoded",
      { at: "noon" },
      {
        encodeResponse: (): never => {
          throw new RangeError("invalid date");
        },
      },
    ],
  ])("cause a 500 if the handler returns %s", async (_, result, row) => {
    const { entries, onError } = createLog();
    const server = createRunner(() => result, row, { onError });
    const { status, text } = await post(server, "/rpc/API/Run", "{}");
    expect([status, text]).toEqual([
      500,
      expect.stringContaining("BadResponse"),
    ]);
    expect(entries).toHaveLength(1);
  });

  it("reveal nothing if they have no fields", async () => {
    const secret = () => ({ secret: 1 });
    const server = createRunner(secret, { checkResponse: null });
    expect((await post(server, "/rpc/API/Run", "{}")).text).toBe("{}");
  });

  it("come from handlers that receive no bigint unless `isExact` is set", async () => {
    const server = createRunner((request) => ({
      type: typeof Reflect.get(Object(request), "a"),
    }));
    const body = '{"a":18446744073709551615}';
    const { text } = await post(server, "/rpc/API/Run", body);
    expect(text).toBe('{"type":"number"}');
  });

  it("are encoded after the handler, and requests are decoded before it", async () => {
    const server = createRunner(
      (request) => ({ sum: BigInt(Reflect.get(Object(request), "n")) + 1n }),
      {
        decodeRequest: (value) => ({
          n: BigInt(Reflect.get(Object(value), "n")),
        }),
        encodeResponse: (value) => ({
          sum: String(Reflect.get(Object(value), "sum")),
        }),
      },
    );
    const { text } = await post(server, "/rpc/API/Run", '{"n":"41"}');
    expect(text).toBe('{"sum":"42"}');
  });
});

describe("handlers", () => {
  it("keep their `this`", async () => {
    class Service {
      readonly #greeting = "hello";
      run(): unknown {
        return { greeting: this.#greeting };
      }
    }
    const options = { handlers: { api: new Service() } };
    const server = createRunner(() => ({}), {}, options);
    expect((await post(server, "/rpc/API/Run", "{}")).text).toBe(
      '{"greeting":"hello"}',
    );
  });

  it("do not pass on failures of their own calls", async () => {
    const { entries, onError } = createLog();
    const cause = "<html>internal host 10.0.0.1</html>";
    const run = (): never => {
      throw new TransportError("bad-response", { cause, status: 404 });
    };
    const server = createRunner(run, {}, { onError });
    const { status, text } = await post(server, "/rpc/API/Run", "{}");
    expect([status, text]).toEqual([500, expect.not.stringContaining("10.0")]);
    expect(text).toContain("WebrpcInternalError");
    expect(entries).toHaveLength(1);
  });

  it("can observe the request's signal while they run", async () => {
    const controller = new AbortController();
    const seen: boolean[] = [];
    const run = (_: unknown, { signal }: RequestContext): object => {
      seen.push(signal.aborted);
      controller.abort();
      seen.push(signal.aborted);
      return {};
    };
    for (const timeoutMs of [1000, Infinity]) {
      const server = createRunner(run, {}, { timeoutMs });
      const init = { method: "POST", signal: controller.signal };
      const headers = { "content-type": "application/json" };
      const url = "http://host/rpc/API/Run";
      await server.fetch(new Request(url, { ...init, headers, body: "{}" }));
    }
    expect(seen).toEqual([false, true, true, true]);
  });
});

describe("createServer", () => {
  const [ping] = sampleMethods;
  const rows = ping === undefined ? [] : [ping];

  it.each<[object, string]>([
    [{}, "handlers.api.ping"],
    [{ handlers: {} }, "handlers.api.ping"],
    [{ handlers: { api: { ping: 1 } } }, "handlers.api.ping"],
  ])("reports a missing handler in %j", (options, name) => {
    expect(() => createServer(options, rows)).toThrow(
      new TypeError(`server option ${name} must be a function`),
    );
  });

  it.each<[string, object]>([
    ["cacheControl", { cacheControl: "public\n" }],
    [
      'methods["API/Ping"].cacheControl',
      { methods: { "API/Ping": { cacheControl: "max-age=60 \u2026" } } },
    ],
    ["cors.headers", { cors: { origins: "*", headers: ["X-\u0130d"] } }],
    ["cors.exposedHeaders", { cors: { origins: "*", exposedHeaders: ["\0"] } }],
  ])("rejects text that headers cannot contain in %s", (name, options) => {
    expect(() => createServer({ ...sampleOptions, ...options }, rows)).toThrow(
      new TypeError(
        `server option ${name} must contain only characters that headers can contain`,
      ),
    );
  });

  it("reports a missing verifier", () => {
    const { verifyAccessKey, ...options } = sampleOptions;
    expect(verifyAccessKey).toBeTypeOf("function");
    expect(() => createServer(options, sampleMethods)).toThrow(
      "server option verifyAccessKey must be a function",
    );
  });

  it("rejects two methods at one path", () => {
    expect(() =>
      createServer(sampleOptions, [...sampleMethods, ...rows]),
    ).toThrow("two methods have the address POST /rpc/API/Ping");
  });

  it("accepts a credential only if the verifier returns `true`", async () => {
    const server = createSampleServer({
      verifyAccessKey: (value) => JSON.parse(value),
    });
    const send = async (key: string) => {
      const headers = {
        "content-type": "application/json",
        "x-access-key": key,
      };
      const init = {
        method: "POST",
        headers,
        body: '{"amount":"1","chainId":1}',
      };
      const url = "http://host/rpc/API/GetPrice";
      return (await server.fetch(new Request(url, init))).status;
    };
    expect(await send("true")).toBe(200);
    for (const key of ["false", "1", '"yes"', "{}", "null"]) {
      expect(await send(key)).toBe(401);
    }
  });
});

describe("a receiver of outbound calls", () => {
  const received: unknown[] = [];
  const row = {
    route: { kind: "webhook" },
    checkResponse: null,
    checkRequest: checkPage,
  } as const;
  const server = createRunner((request) => void received.push(request), row);

  it.each(["/", "/hooks/indexer?x=1", "//", "/__proto__"])(
    "answers POST %s",
    async (path) => {
      const body = '{"page":{"size":30}}';
      expect(await post(server, path, body)).toEqual({
        status: 200,
        text: "{}",
      });
      expect(received.pop()).toEqual(JSON.parse(body));
      expect(server.matches(path)).toBe(true);
    },
  );

  it("validates the request", async () => {
    const { status, text } = await post(server, "/", '{"page":{}}');
    expect([status, text]).toEqual([400, expect.stringContaining("page.size")]);
  });

  it("answers only POST", async () => {
    const response = await server.fetch(new Request("http://host/x"));
    expect([response.status, response.headers.get("allow")]).toEqual([
      405,
      "POST",
    ]);
  });

  it("cannot have methods of other kinds on its server", () => {
    const rows = [...sampleMethods, { ...sampleMethods[0], ...row }];
    expect(() => createServer(sampleOptions, rows as ServerMethod[])).toThrow(
      "a server of webhooks must have no other methods",
    );
  });
});

describe("composeServers", () => {
  const other = createRunner(() => ({ from: "other" }));
  const server = composeServers(createSampleServer(), other);

  it("calls the server that handles the path", async () => {
    expect((await post(server, "/rpc/API/Ping", "{}")).text).toBe("{}");
    expect((await post(server, "/rpc/API/Run", "{}")).text).toContain("other");
    expect(server.matches("/rpc/API/Run?x")).toBe(true);
  });

  it("returns 404 for an unknown path, and 405 for an unsupported HTTP method", async () => {
    const { status, text } = await post(server, "/rpc/API/Walk", "{}");
    expect([status, text]).toEqual([
      404,
      expect.stringContaining("POST /rpc/API/Walk"),
    ]);
    const wrong = await server.fetch(new Request("http://host/rpc/API/Run"));
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
    expect(server.matches("/rpc/API/Walk")).toBe(false);
  });

  it("returns 404 without servers", async () => {
    expect((await post(composeServers(), "/", "{}")).status).toBe(404);
  });
});

describe("the fetch handler", () => {
  it("does not need `this`", async () => {
    const { fetch } = createSampleServer();
    const request = new Request("http://host/rpc/API/Ping", { method: "POST" });
    expect(await (await fetch(request)).json()).toEqual({});
  });

  it("reports clearly that the body has already been read", async () => {
    const { entries, onError } = createLog();
    const { fetch } = createSampleServer({ onError });
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: "{}" };
    const request = new Request("http://host/rpc/API/Echo", init);
    await request.text();
    expect((await fetch(request)).status).toBe(500);
    expect(String(entries[0]?.error)).toContain("was read before");
  });

  // Hosts end a body at its declared length, but this does not rely on it.
  it.each<[string, Record<string, string>, number]>([
    ["that never ends", {}, Infinity],
    [
      "that is longer than its header declares",
      { "content-length": "100" },
      5000,
    ],
  ])("rejects a body %s", async (_, headers, size) => {
    const { fetch } = createSampleServer();
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(100));
        if (pulled * 100 >= size) controller.close();
      },
    });
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      duplex: "half",
    };
    const response = await fetch(new Request("http://host/rpc/API/Echo", init));
    expect([response.status, await response.text()]).toEqual([
      413,
      expect.stringContaining("larger than 1000 bytes"),
    ]);
    // The rest is discarded up to a limit, so that the client can read on.
    expect(pulled).toBeLessThan(10_000);
  });

  it("treats a truncated body as a disconnected client", async () => {
    const { entries, onError } = createLog();
    const { fetch } = createSampleServer({ onError });
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.error(new Error("reset"));
      },
    });
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      duplex: "half",
    };
    const response = await fetch(new Request("http://host/rpc/API/Echo", init));
    expect(await response.json()).toMatchObject({
      error: "WebrpcClientDisconnected",
    });
    expect(entries).toEqual([]);
  });
});

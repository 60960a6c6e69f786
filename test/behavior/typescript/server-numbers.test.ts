import { describe, expect, it, vi } from "vitest";
import { toNodeListener } from "../../../runtime/typescript/hosts/node/node-listener.js";
import { limitsOf } from "../../../runtime/typescript/server/model/limits.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import type { RequestContext } from "../../../runtime/typescript/server/server.js";
import { createSampleServer, plainRow } from "./sample-server.js";

describe("an option that is no valid number is rejected", () => {
  it.each([
    [{ maxConcurrent: NaN }, "maxConcurrent", "at least 0, not NaN"],
    [{ timeoutMs: NaN }, "timeoutMs", "at least 0, not NaN"],
    [{ maxBodiesPerTenant: -1 }, "maxBodiesPerTenant", "at least 0, not -1"],
    [{ keepAliveMs: 0 }, "keepAliveMs", "at least 1, not 0"],
    [
      { methods: { "API/Ping": { sendTimeoutMs: NaN } } },
      'methods["API/Ping"].sendTimeoutMs',
      "at least 0, not NaN",
    ],
    [Object({ queueMs: "2000" }), "queueMs", 'at least 0, not "2000"'],
  ])("%o", (options, name, rest) => {
    expect(() => createSampleServer(options)).toThrow(
      new TypeError(`option ${name} must be a number of ${rest}`),
    );
  });

  it("of `toNodeListener`", () => {
    const handler = () => new Response();
    expect(() => toNodeListener(handler, { maxBodyBytes: NaN })).toThrow(
      "option maxBodyBytes must be a number of at least 0, not NaN",
    );
  });
});

it.each([-5, 0.5, NaN, Infinity])(
  "a file with a size of %s becomes an internal error",
  async (size) => {
    const stream = vi.fn();
    const onError = vi.fn();
    const get = () => ({ file: { type: "", size, stream } });
    const options = { onError, handlers: { api: { get } } };
    const server = createServer(options, [
      {
        ...plainRow,
        service: "API",
        name: "Get",
        handler: ["api", "get"],
        route: { kind: "rpc", path: "/rpc/API/Get" },
        checkResponse: null,
        download: "file",
      },
    ]);
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: "{}" };
    const answer = await server.fetch(
      new Request("http://host/rpc/API/Get", init),
    );
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ error: "WebrpcBadResponse" });
    expect(String(onError.mock.calls[0]?.[0])).toContain(String(size));
    expect(stream).not.toHaveBeenCalled();
  },
);

it("keep-alives are sent before Bun considers a connection idle", () => {
  const idleTimeoutMs = 10_000;
  expect(limitsOf({}, {}).keepAliveMs).toBeLessThan(idleTimeoutMs);
});

it("a host that aborts the request's signal after the response does not abort the handler's", async () => {
  const left = new AbortController();
  const signals: AbortSignal[] = [];
  const ping = (_: unknown, { signal }: RequestContext) => {
    signals.push(signal);
    return {};
  };
  const options = { timeoutMs: Infinity, handlers: { api: { ping } } };
  const server = createServer(options, [
    {
      ...plainRow,
      service: "API",
      name: "Ping",
      handler: ["api", "ping"],
      route: { kind: "rpc", path: "/rpc/API/Ping" },
    },
  ]);
  const answer = await server.handle({
    method: "POST",
    target: "/rpc/API/Ping",
    header: (name) => (name === "content-type" ? "application/json" : null),
    text: () => Promise.resolve("{}"),
    async *chunks() {},
    signal: () => left.signal,
  });
  expect(answer.status).toBe(200);
  left.abort();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

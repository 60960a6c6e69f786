import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import {
  createServer as createHttpServer,
  request as sendRequest,
} from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { inProcess } from "../../../runtime/typescript/hosts/in-process.js";
import { toLambdaHandler } from "../../../runtime/typescript/hosts/lambda.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import type { ServerMethod } from "../../../runtime/typescript/server/model/server-method.js";
import type { ServerOptions } from "../../../runtime/typescript/server/server.js";
import { hosts, listenerHost } from "./hosts.js";
import { plainRow, sampleErrors } from "./sample-server.js";

/** Creates a server whose method runs until it is released. */
function createWaiting(limits: ServerOptions, row: Partial<ServerMethod> = {}) {
  let release = (): void => undefined;
  let started = 0;
  const released = new Promise<void>((resolve) => (release = resolve));
  const wait = async () => {
    started += 1;
    await released;
    return {};
  };
  const options = {
    ...{ maxConcurrentPerTenant: 1, onError: () => undefined, ...limits },
    handlers: { api: { wait } },
    verifyKey: () => true,
  };
  const server = createServer(options, [
    {
      ...plainRow,
      service: "API",
      name: "Wait",
      handler: ["api", "wait"],
      route: { kind: "rpc", path: "/rpc/API/Wait" },
      ...row,
    },
  ]);
  return { release, server, started: () => started };
}

const url = "http://host/rpc/API/Wait";
const init = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: "{}",
};

/** Sends two requests at once. Returns the status of the second. */
async function statusOfSecond(
  { release, started }: ReturnType<typeof createWaiting>,
  send: () => Promise<Response>,
): Promise<number> {
  const first = send();
  await expect.poll(started).toBe(1);
  const second = send();
  void second.then(release);
  await expect.poll(started).toBeGreaterThan(0);
  const { status } = await second;
  release();
  expect((await first).status).toBe(200);
  return status;
}

const overHttp = [...hosts, listenerHost].filter(
  ({ name }) => name !== "fetch",
);

it.each(overHttp)("is known on $name", async ({ start }) => {
  const waiting = createWaiting({});
  const host = await start(waiting.server);
  onTestFinished(() => host.close());
  const status = await statusOfSecond(waiting, () => host.fetch(url, init));
  expect(status).toBe(429);
});

describe("the limits per tenant of a method without credentials", () => {
  it.each([
    ["Deno", { remoteAddr: { transport: "tcp", hostname: "192.0.2.7" } }],
    ["Bun", { requestIP: () => ({ address: "192.0.2.7" }) }],
    [
      "Hono on Bun",
      { server: { requestIP: () => ({ address: "192.0.2.7" }) } },
    ],
    ["@hono/node-server", { incoming: { socket: { remoteAddress: "::1" } } }],
  ])("apply to the address that %s passes", async (_, info) => {
    const waiting = createWaiting({});
    const send = () => waiting.server.fetch(new Request(url, init), info);
    expect(await statusOfSecond(waiting, send)).toBe(429);
  });

  it("apply to the address of a caller without an optional credential", async () => {
    const key = {
      header: "X-Key",
      scheme: null,
      error: sampleErrors.Geoblocked,
      verify: "verifyKey",
    };
    const row = { credentials: [key], alternatives: [[key], []] };
    const waiting = createWaiting({}, row);
    const info = { remoteAddr: { transport: "tcp", hostname: "192.0.2.7" } };
    const send = () => waiting.server.fetch(new Request(url, init), info);
    expect(await statusOfSecond(waiting, send)).toBe(429);
  });

  it("apply to the address in an event of Lambda", async () => {
    const waiting = createWaiting({});
    const handler = toLambdaHandler(waiting.server);
    const send = async (): Promise<Response> => {
      const { body, statusCode } = await handler({
        rawPath: "/rpc/API/Wait",
        rawQueryString: "",
        headers: init.headers,
        requestContext: { http: { method: "POST", sourceIp: "192.0.2.7" } },
        body: init.body,
        isBase64Encoded: false,
      });
      return new Response(body, { status: statusCode });
    };
    expect(await statusOfSecond(waiting, send)).toBe(429);
  });

  it.each([
    ["maxConcurrentPerTenant", {}],
    ["maxBodiesPerTenant", { maxBodiesPerTenant: 1 }],
  ])("fail loudly if the host passes no address (%s)", async (_, limits) => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const { server } = createWaiting({ ...limits, onError });
    const answer = await server.fetch(new Request(url, init));
    expect(answer.status).toBe(500);
    const cause = expect.stringContaining("set the server option `tenant`");
    expect(await answer.json()).toMatchObject({ cause });
    expect(errors).toMatchObject([{ name: "UnknownAddressError" }]);
  });

  it.each([
    ["Bun for a copied request", { requestIP: () => null }],
    [
      "Bun for a Proxy",
      {
        requestIP: () => {
          throw new TypeError("not a Request");
        },
      },
    ],
    ["Deno for a Unix socket", { remoteAddr: { transport: "unix" } }],
    ["@hono/node-server", { incoming: { socket: {} } }],
    ["Lambda for an unknown event", { remoteAddr: { hostname: null } }],
  ])("fail loudly if %s passes no address", async (_, info) => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const { server } = createWaiting({ onError });
    const answer = await server.fetch(new Request(url, init), info);
    expect(answer.status).toBe(500);
    expect(errors).toMatchObject([{ name: "UnknownAddressError" }]);
  });

  it("fail loudly on a Unix socket", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const { server } = createWaiting({ onError });
    const http = createHttpServer(toNodeHandler(server));
    const folder = mkdtempSync(join(tmpdir(), "socket-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const socketPath = join(folder, "s");
    http.listen(socketPath);
    await once(http, "listening");
    onTestFinished(() => void http.close());
    const { body, ...head } = init;
    const options = { socketPath, path: "/rpc/API/Wait", ...head };
    const sent = sendRequest({ ...options, agent: false });
    sent.end(body);
    const [answer] = await once(sent, "response");
    (answer as NodeJS.ReadableStream).resume();
    expect(answer).toMatchObject({ statusCode: 500 });
    expect(errors).toMatchObject([{ name: "UnknownAddressError" }]);
  });

  it("do not apply to clients in the same process", async () => {
    const { release, server } = createWaiting({});
    const { body: _, ...head } = init;
    const send = () => inProcess(server)(url, { ...head, body: "{}" });
    const answers = Promise.all([send(), send()]);
    release();
    expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
  });
});

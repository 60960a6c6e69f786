import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CorsOptions } from "../../../runtime/typescript/server/server.js";
import { hosts, type Running } from "./hosts.js";
import { lambdaHosts } from "./lambda-hosts.js";
import { createSampleServer } from "./sample-server.js";

/** Without it, a request of another origin is refused. */
const json = { "content-type": "application/json" };
const page = "https://app.example.com";
const names = [
  "access-control-allow-origin",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "access-control-max-age",
  "access-control-allow-credentials",
  "vary",
];

async function send(
  running: Running,
  verb: string,
  path: string,
  headers: Record<string, string>,
): Promise<readonly unknown[]> {
  const { status, header } = await running.send({
    verb,
    path,
    headers,
    body: null,
  });
  return [status, ...names.map(header)];
}

const preflight = (origin: string) => ({
  origin,
  "access-control-request-method": "POST",
  "access-control-request-headers": "content-type,x-access-key",
});

const allowed =
  "Content-Type, Webrpc, Request-Timeout-Ms, X-Access-Key, Authorization";

describe.each([...hosts, ...lambdaHosts])("CORS on $name", ({ start }) => {
  const running: Running[] = [];
  const startWith = async (cors: CorsOptions): Promise<Running> => {
    const started = await start(createSampleServer({ cors }));
    running.push(started);
    return started;
  };
  let listed: Running;
  let open: Running;
  beforeAll(async () => {
    listed = await startWith({
      origins: [page],
      headers: ["traceparent"],
      exposedHeaders: ["X-Request-Id", "Retry-After"],
    });
    open = await startWith({ origins: "*", maxAgeSeconds: 60 });
  });
  afterAll(() => Promise.all(running.map(({ close }) => close())));

  it("answers a preflight request from a listed origin", async () => {
    const path = "/rpc/API/AddSponsor";
    expect(await send(listed, "OPTIONS", path, preflight(page))).toEqual([
      204,
      page,
      "POST",
      `${allowed}, traceparent`,
      "7200",
      null,
      "Origin",
    ]);
  });

  it("answers every preflight request if all origins are allowed", async () => {
    const path = "/tokens/mainnet/0xab";
    expect(await send(open, "OPTIONS", path, preflight("null"))).toEqual([
      204,
      "*",
      "GET, HEAD",
      allowed,
      "60",
      null,
      null,
    ]);
  });

  it.each(["https://evil.example.com", `${page}.evil.com`, "null"])(
    "does not allow %s",
    async (origin) => {
      const path = "/rpc/API/Ping";
      expect(
        (await send(listed, "OPTIONS", path, preflight(origin))).slice(0, 2),
      ).toEqual([204, null]);
      expect(await send(listed, "POST", path, { ...json, origin })).toEqual([
        200,
        null,
        null,
        null,
        null,
        null,
        "Origin",
      ]);
    },
  );

  it("lets pages read responses and failures", async () => {
    const headers = { ...json, origin: page };
    for (const [path, status] of [
      ["/rpc/API/Ping", 200],
      ["/rpc/API/Echo", 400],
      ["/rpc/API/Pong", 404],
    ] as const) {
      expect((await send(listed, "POST", path, headers)).slice(0, 2)).toEqual([
        status,
        page,
      ]);
      const [first, origin, ...rest] = await send(open, "POST", path, headers);
      expect([first, origin]).toEqual([status, "*"]);
      expect(rest.filter((value) => value !== null)).toEqual([]);
    }
  });

  it("names the response headers that pages may read", async () => {
    const { header } = await listed.send({
      verb: "POST",
      path: "/rpc/API/Ping",
      headers: { origin: page },
      body: null,
    });
    const expected = "Retry-After, X-Request-Id";
    expect(header("access-control-expose-headers")).toBe(expected);
  });

  it("answers the preflight request for an unknown path with 404", async () => {
    const path = "/rpc/API/Pong";
    expect(
      (await send(listed, "OPTIONS", path, preflight(page))).slice(0, 2),
    ).toEqual([404, page]);
  });

  it("rejects an OPTIONS request that is not a preflight request", async () => {
    const headers = { origin: page };
    expect(
      (await send(listed, "OPTIONS", "/rpc/API/Ping", headers)).slice(0, 2),
    ).toEqual([405, page]);
  });
});

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import type {
  RpcServer,
  ServerMethod,
} from "../../../runtime/typescript/server/server.js";
import { hosts, type Received, type Running } from "./hosts.js";
import { lambdaHosts } from "./lambda-hosts.js";
import {
  sampleMethods,
  sampleOptions,
  type SampleOptions,
} from "./sample-server.js";
import { createUploads, uploadHeaders } from "./upload-server.js";

const everywhere = [...hosts, ...lambdaHosts];

/** The sample table with some methods marked as read-only. */
const methods: readonly ServerMethod[] = sampleMethods.map((row) =>
  ["Ping", "Echo", "GetPrice", "GetOrders"].includes(row.name)
    ? { ...row, isReadonly: true }
    : row,
);

function createReader(options: Partial<SampleOptions> = {}): RpcServer {
  return createServer(
    { ...sampleOptions, maxBodyBytes: 1000, readsByGet: true, ...options },
    methods,
  );
}

function toQuery(message: unknown): string {
  return `?request=${encodeURIComponent(JSON.stringify(message))}`;
}

const key = { "X-Access-Key": "public-key" };

it.each(["/rpc/API/Ping#part", `/rpc/API/Ping${toQuery({})}#part`])(
  "ignores the fragment of %s",
  async (path) => {
    const request = new Request(`http://host${path}`);
    expect((await createReader().fetch(request)).status).toBe(200);
  },
);

it("reads a plus sign in the query as a space", async () => {
  const query = toQuery({ a: "b c" }).replaceAll("%20", "+");
  const request = new Request(`http://host/rpc/API/Echo${query}`);
  const answer = await createReader().fetch(request);
  expect(await answer.json()).toEqual({ a: "b c" });
});

it.each([{}, uploadHeaders])(
  "reads the query for a method with files if the headers are %j",
  async (headers) => {
    const upload = vi.fn(() => ({}));
    const server = createUploads(
      upload,
      { maxBodiesPerTenant: 1, readsByGet: true, tenant: () => "a" },
      { files: ["file"] },
      { isReadonly: true },
    );
    const path = `/rpc/Files/Upload${toQuery({ title: "fits" })}`;
    const request = new Request(`http://host${path}`, { headers });
    expect((await server.fetch(request)).status).toBe(200);
    expect(upload).toHaveBeenCalledExactlyOnceWith(
      { title: "fits" },
      expect.anything(),
    );
  },
);

describe.each(everywhere)("reads with GET on $name", ({ start }) => {
  let running: Running;
  beforeAll(async () => {
    running = await start(createReader());
  });
  afterAll(() => running.close());

  const get = (
    path: string,
    headers: Readonly<Record<string, string>> = {},
    verb = "GET",
  ): Promise<Received> => running.send({ verb, path, headers, body: null });

  it("reads the request from the query", async () => {
    const path = `/rpc/API/Echo${toQuery({ a: "ü+&=%", b: [1] })}&x=1`;
    const answer = await get(path);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      { a: "ü+&=%", b: [1] },
    ]);
    expect(answer.header("content-type")).toMatch(/^application\/json/u);
    expect(answer.header("cache-control")).toBe("private, no-cache");
    expect(answer.header("etag")).toMatch(/^W\/"[0-9a-f]{32}"$/u);
    expect(answer.header("vary")).toBeNull();
  });

  it("returns the same tag on runtimes without Node's hash", async () => {
    const path = `/rpc/API/Echo${toQuery({ a: "ü" })}`;
    const etag = (await get(path)).header("etag");
    const load = vi.spyOn(process, "getBuiltinModule");
    load.mockReturnValue(undefined);
    const other = await start(createReader());
    expect(load).toHaveBeenCalled();
    load.mockRestore();
    const request = { verb: "GET", path, headers: {}, body: null };
    const answer = await other.send(request);
    await other.close();
    expect(answer.header("etag")).toBe(etag);
  });

  it("never returns the tag of another response", async () => {
    const tagOf = async (a: string): Promise<string | null> =>
      (await get(`/rpc/API/Echo${toQuery({ a })}`)).header("etag");
    const long = "x".repeat(7000);
    const tags = [];
    for (const a of ["a", "a", "b", "a", long, long, "b"]) {
      tags.push(await tagOf(a));
    }
    const [first, , second] = tags;
    const other = tags[4];
    expect(new Set([first, second, other]).size).toBe(3);
    expect(tags).toEqual([first, first, second, first, other, other, second]);
  });

  it("returns 304 to clients that have the current version", async () => {
    const path = `/rpc/API/Echo${toQuery({ a: 1 })}`;
    const etag = (await get(path)).header("etag") ?? "";
    const strong = etag.slice(2);
    for (const known of [
      etag,
      strong,
      `"x", ${etag}`,
      "*",
      ` ${etag} ,W/"y"`,
    ]) {
      const answer = await get(path, { "If-None-Match": known });
      expect([answer.status, answer.text]).toEqual([304, ""]);
      expect(answer.header("etag")).toBe(etag);
      expect(answer.header("cache-control")).toBe("private, no-cache");
    }
    for (const other of ['"x"', strong.slice(1), `${path}`, ""]) {
      const answer = await get(path, { "If-None-Match": other });
      expect([answer.status, answer.text]).toEqual([200, '{"a":1}']);
    }
    const changed = await get(`/rpc/API/Echo${toQuery({ a: 2 })}`, {
      "If-None-Match": etag,
    });
    expect(changed.status).toBe(200);
  });

  it("requires credentials if the response depends on them", async () => {
    const path = `/rpc/API/GetPrice${toQuery({ amount: "1", chainId: 1 })}`;
    const refused = await get(path);
    expect([refused.status, refused.header("cache-control")]).toEqual([
      401,
      "no-store",
    ]);
    const answer = await get(path, key);
    expect([answer.status, answer.header("vary")]).toEqual([
      200,
      "X-Access-Key",
    ]);
  });

  it("reads base path parameters", async () => {
    const path = `/mainnet/rpc/Marketplace/GetOrders${toQuery({})}`;
    const answer = await get(path, key);
    expect(JSON.parse(answer.text)).toMatchObject({ network: "mainnet" });
    const unknown = path.replace("mainnet", "atlantis");
    expect((await get(unknown, key)).status).toBe(404);
  });

  const long = { a: "x".repeat(1000) };
  it.each([
    ["nothing", "", /^query parameter request: .*got nothing$/u],
    ["no value", "?request", /^query parameter request is not JSON/u],
    ["an empty text", "?request=", /^query parameter request is not JSON/u],
    ["invalid JSON", "?request={", /^query parameter request is not JSON/u],
    ["a list", "?request=[]", /^query parameter request: .*got a list$/u],
    ["null", "?request=null", /^query parameter request: .*got null$/u],
    ["two", "?request={}&request={}", /expected one, got 2$/u],
    ["a long request", toQuery(long), /^body larger than 1000 bytes$/u],
    ["broken encoding", "?request=%E0%A4%A", /invalid percent-encoding$/u],
    ["invalid UTF-8", `?request={"a":"%FF"}`, /invalid percent-encoding$/u],
  ])("rejects %s", async (_, query, cause) => {
    const answer = await get(`/rpc/API/Echo${query}`);
    expect(answer.status).toBe(query === toQuery(long) ? 413 : 400);
    expect(answer.header("cache-control")).toBe("no-store");
    expect(JSON.parse(answer.text)).toMatchObject({
      error: "WebrpcBadRequest",
      cause: expect.stringMatching(cause),
    });
  });

  it("validates the request", async () => {
    const query = toQuery({ amount: 1, chainId: 1 });
    const answer = await get(`/rpc/API/GetPrice${query}`, key);
    expect(JSON.parse(answer.text)).toMatchObject({ error: "InvalidArgument" });
  });

  it("needs no request if there are no fields", async () => {
    for (const query of ["", "?request={}", "?request=null"]) {
      const answer = await get(`/rpc/API/Ping${query}`);
      expect([answer.status, answer.text]).toEqual([200, "{}"]);
    }
  });

  it("supports only read-only methods, and rejects PUT and DELETE", async () => {
    const writes = await get("/rpc/API/AddSponsor");
    expect([writes.status, writes.header("allow")]).toEqual([405, "POST"]);
    for (const verb of ["PUT", "DELETE"]) {
      const answer = await get("/rpc/API/Ping", {}, verb);
      expect([answer.status, answer.header("allow")]).toEqual([
        405,
        "GET, HEAD, POST",
      ]);
    }
    const body = new TextEncoder().encode('{"a":1}');
    const headers = { "content-type": "application/json" };
    const path = "/rpc/API/Echo";
    const posted = await running.send({ verb: "POST", path, headers, body });
    expect([posted.status, posted.text]).toEqual([200, '{"a":1}']);
    expect([posted.header("etag"), posted.header("cache-control")]).toEqual([
      null,
      null,
    ]);
  });

  it("does not affect REST reads", async () => {
    const answer = await get("/tokens/mainnet/0xAB");
    expect([answer.status, answer.header("etag")]).toEqual([200, null]);
    expect((await get("/tokens/mainnet/0xAB/x")).header("cache-control")).toBe(
      null,
    );
  });
});

describe("caching", () => {
  const get = (server: RpcServer, path: string): Promise<Response> =>
    server.fetch(new Request(`http://host${path}`));

  it("needs `readsByGet`, because calls otherwise require POST", async () => {
    const server = createReader({ readsByGet: false });
    const { status, headers } = await get(server, "/rpc/API/Ping");
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("follows the options, including for REST reads", async () => {
    const server = createReader({
      cacheControl: "public, max-age=60",
      methods: { "API/Ping": { cacheControl: "no-store" } },
    });
    const controlOf = async (path: string) =>
      (await get(server, path)).headers.get("cache-control");
    expect(await controlOf("/rpc/API/Ping")).toBe("no-store");
    expect(await controlOf("/rpc/API/Echo?request={}")).toBe(
      "public, max-age=60",
    );
    expect(await controlOf("/tokens/mainnet/0xAB")).toBe("public, max-age=60");
    expect(await controlOf("/tokens/mainnet/0xAB/x")).toBe("no-store");
  });

  it("is forbidden for the response of a full server", async () => {
    const server = createReader({ maxConcurrent: 0 });
    const { status, headers } = await get(server, "/rpc/API/Ping");
    expect([status, headers.get("cache-control")]).toEqual([503, "no-store"]);
    expect(headers.get("retry-after")).toBe("1");
  });

  it("varies by origin if pages may read responses", async () => {
    const server = createReader({ cors: { origins: ["https://a.example"] } });
    const path = `/rpc/API/GetPrice${toQuery({ amount: "1", chainId: 1 })}`;
    const headers = { ...key, origin: "https://a.example" };
    const answer = await server.fetch(
      new Request(`http://host${path}`, { headers }),
    );
    expect(answer.headers.get("vary")).toBe("Origin, X-Access-Key");
    const preflight = await server.fetch(
      new Request("http://host/rpc/API/GetPrice", {
        method: "OPTIONS",
        headers: {
          origin: "https://a.example",
          "access-control-request-method": "GET",
        },
      }),
    );
    expect(preflight.headers.get("access-control-allow-methods")).toBe(
      "GET, HEAD, POST",
    );
  });
});

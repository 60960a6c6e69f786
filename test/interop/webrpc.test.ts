import { isRpcError } from "@ridlkit/runtime/errors";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { UnauthorizedError as OwnUnauthorizedError } from "./generated/errors.js";
import { createTestServer } from "./generated/server.js";
import * as webrpc from "./generated/webrpc.js";
import { createInteropHandler } from "./handlers.js";
import { startServer, type RunningServer } from "./http.js";
import {
  callDetached,
  callAllOverloads,
  createClient,
  describeError,
  facts,
  KeyedTestApi,
  madeErrors,
  queryOf,
} from "./webrpc-consumer.js";
import { schemaErrors } from "./wire-table.js";

const { TestApi } = webrpc;

let server: RunningServer;
let seen: { url: string; headers: Record<string, unknown> }[] = [];
/** Replaces the server's response. */
let instead: readonly [status: number, body: string] | null = null;

beforeAll(async () => {
  const handle = toNodeHandler(
    createTestServer({ handlers: { testApi: createInteropHandler() } }),
  );
  server = await startServer((request, response) => {
    seen.push({ url: request.url ?? "", headers: request.headers });
    if (instead === null) return void handle(request, response);
    request.resume();
    response.writeHead(instead[0], { "content-type": "application/json" });
    response.end(instead[1]);
  });
});
beforeEach(() => {
  seen = [];
  instead = null;
});
afterAll(() => server.close());

async function caughtFrom(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
}

describe("the client that is compatible with webrpc's", () => {
  it("supports every form of a call", async () => {
    const client = new TestApi(`${server.baseUrl}//`, fetch);
    expect(await callAllOverloads(client)).toMatchObject({
      status: "AVAILABLE",
      namesList: ["John", "Alice", "Jakob"],
    });
    expect(seen[0]?.url).toBe("/rpc/TestApi/GetEmpty");
    expect(seen[0]?.headers).toMatchObject({
      "content-type": "application/json",
      webrpc: "webrpc;ridlkit;Test@v0.10.0",
    });
    const traces = seen.map(({ headers }) => headers["x-trace"]);
    expect(traces.filter(Boolean)).toEqual(["1", "2"]);
  });

  it("reads null from Go as an empty list or map", async () => {
    const client = new TestApi(server.baseUrl, fetch);
    instead = [200, '{"list":null}'];
    expect(await client.getEnumList()).toEqual({ list: [] });
    instead = [200, '{"map":null}'];
    expect(await client.getEnumMap()).toEqual({ map: {} });
  });

  it("has methods that can be detached from it", async () => {
    expect(await callDetached(new TestApi(server.baseUrl, fetch))).toBe(2);
    expect(await createClient(server.baseUrl).getEmpty()).toEqual({});
  });

  it("can be extended to add a header", async () => {
    const client = new KeyedTestApi(server.baseUrl, "key-1");
    expect(client.address).toBe(`${server.baseUrl}/rpc/TestApi/`);
    await client.sendOne(await client.getOne(), { "X-Trace": "3" });
    expect(seen.map(({ headers }) => headers["x-access-key"])).toEqual([
      "key-1",
      "key-1",
    ]);
    expect(seen[1]?.headers).toMatchObject({
      "x-trace": "3",
      "content-type": "application/json",
    });
  });

  it("can move a service to another path", async () => {
    class Moved extends TestApi {
      protected override path = "/v2/rpc/TestApi/";
    }
    instead = [200, "{}"];
    await new Moved(server.baseUrl, fetch).getEmpty();
    expect(seen[0]?.url).toBe("/v2/rpc/TestApi/GetEmpty");
  });

  it("omits undefined headers", async () => {
    const client = new TestApi(server.baseUrl, fetch);
    await client.getEmpty({ Authorization: undefined, "X-Trace": "4" });
    expect(seen[0]?.headers).toMatchObject({ "x-trace": "4" });
    expect(seen[0]?.headers).not.toHaveProperty("authorization");
  });

  it("provides cache keys", async () => {
    const client = new TestApi(server.baseUrl, fetch);
    const query = queryOf(client, { code: 9 });
    expect(query.queryKey).toEqual(["TestApi", "getSchemaError", { code: 9 }]);
    expect(query.emptyKey).toEqual(["TestApi", "getEmpty"]);
    const { signal } = new AbortController();
    expect(await query.queryFn({ signal })).toEqual({});
  });

  it.each(schemaErrors)("throws $name for $code", async (row) => {
    const client = new TestApi(server.baseUrl, fetch);
    const caught = await caughtFrom(client.getSchemaError({ code: row.code }));
    expect(caught).toBeInstanceOf(Reflect.get(webrpc, `${row.name}Error`));
    expect(caught).toBeInstanceOf(webrpc.WebrpcError);
    expect(caught).toBeInstanceOf(Error);
    expect(Object(caught)).toMatchObject({
      name: row.name,
      code: row.code,
      message: row.msg,
      status: row.status,
    });
    expect(Object(caught).cause).toBe(row.cause);
  });

  it("throws the error that GetError returns", async () => {
    const caught = await caughtFrom(
      new TestApi(server.baseUrl, fetch).getError(),
    );
    expect(caught).toBeInstanceOf(webrpc.WebrpcEndpointError);
    expect(Object(caught).cause).toBe("internal error");
  });

  it("distinguishes errors by class, code, and name", async () => {
    const client = new TestApi(server.baseUrl, fetch);
    const describe = async (code: number): Promise<string> =>
      describeError(await caughtFrom(client.getSchemaError({ code })));
    expect(await describe(1)).toBe("log in: Unauthorized 1 401: unauthorized");
    expect(await describe(100)).toMatch(/^wait: RateLimited 100 429/);
    expect(await describe(0)).toMatch(/^endpoint: WebrpcEndpoint 0 400/);
    expect(await describe(201)).toMatch(/^again: UserBusy 201 400/);
    expect(await describe(7)).toMatch(/^MissingArgument: MissingArgument 7/);
  });

  it("keeps the name, text, and status of unknown errors", async () => {
    instead = [409, '{"error":"New","code":4242,"msg":"news","status":409}'];
    const client = new TestApi(server.baseUrl, fetch);
    const caught = await caughtFrom(client.getEmpty());
    expect(caught).toBeInstanceOf(webrpc.WebrpcError);
    expect(caught).toMatchObject({ name: "New", code: 4242, status: 409 });
    expect(describeError(caught)).toBe("unknown: New 4242 409: news");
  });

  it.each([
    ["not JSON", 502, "<html>"],
    ["null", 400, "null"],
    ["empty", 200, ""],
  ])("reports a response that is %s", async (_, status, body) => {
    instead = [status, body];
    const client = new TestApi(server.baseUrl, fetch);
    const caught = await caughtFrom(client.getOne());
    expect(caught).toBeInstanceOf(webrpc.WebrpcBadResponseError);
    expect(caught).toMatchObject({
      name: "WebrpcBadResponse",
      message: "bad response",
      status,
    });
  });

  it("reports that the server did not respond, and why", async () => {
    const failing = (): Promise<Response> =>
      Promise.reject(new TypeError("no network"));
    const lost = await caughtFrom(
      new TestApi(server.baseUrl, failing).getEmpty(),
    );
    expect(lost).toBeInstanceOf(webrpc.WebrpcRequestFailedError);
    expect(lost).toMatchObject({ message: "request failed", status: 400 });
    expect(lost).toMatchObject({
      name: "WebrpcRequestFailed",
      code: -1,
      cause: "fetch(): no network",
      reason: "network",
    });

    const client = new TestApi(server.baseUrl, fetch);
    const aborted = await caughtFrom(
      client.getOne({}, AbortSignal.abort(new Error("enough"))),
    );
    expect(aborted).toBeInstanceOf(webrpc.WebrpcRequestFailedError);
    expect(aborted).toMatchObject({
      cause: "fetch(): enough",
      reason: "aborted",
    });
  });

  it("can create errors", () => {
    expect(madeErrors.plain).toMatchObject({
      name: "Unauthorized",
      code: 1,
      status: 401,
      message: "unauthorized",
    });
    expect(Object.hasOwn(madeErrors.plain, "cause")).toBe(false);
    expect(madeErrors.explained).toMatchObject({
      code: 100,
      message: "slower",
      cause: "1000 req/min",
    });
    expect(madeErrors.endpoint).toBeInstanceOf(webrpc.WebrpcEndpointError);
    expect(madeErrors.endpoint.status).toBe(418);
    expect(madeErrors.byCode).toBe(webrpc.UserBusyError);
    expect(madeErrors.base.name).toBe("Mine");
    expect(new webrpc.WebrpcError().message).toBe("endpoint error");
  });

  it("creates errors that migrated code recognizes", () => {
    expect(isRpcError(madeErrors.plain, "Unauthorized")).toBe(true);
    expect(madeErrors.plain).toBeInstanceOf(OwnUnauthorizedError);
    expect(new OwnUnauthorizedError()).not.toBeInstanceOf(
      webrpc.UnauthorizedError,
    );
  });

  it("exports tables of errors, including the built-in ones", () => {
    expect(webrpc.errors.Unauthorized).toBe("Unauthorized");
    expect(webrpc.WebrpcErrorCodes.WebrpcStreamFinished).toBe(-10);
    expect(webrpc.WebrpcErrorCodes[-2]).toBe("WebrpcBadRoute");
    for (const [name, code] of Object.entries(webrpc.WebrpcErrorCodes)) {
      if (typeof code !== "number") continue;
      const Class = webrpc.webrpcErrorByCode[code];
      expect(Class).toBe(Reflect.get(webrpc, `${name}Error`));
      const made = Class && new Class();
      expect(made).toMatchObject({ name, code });
    }
  });

  it("exports its version", () => {
    expect(facts).toEqual({
      WebrpcVersion: "v1",
      WebrpcSchemaVersion: "v0.10.0",
      WebrpcHeader: "Webrpc",
      versions: {
        WebrpcGenVersion: "",
        codeGenName: "ridlkit",
        codeGenVersion: "",
        schemaName: "Test",
        schemaVersion: "v0.10.0",
      },
    });
    const { VersionFromHeader } = webrpc;
    expect(VersionFromHeader(new Headers()).schemaName).toBe("");
    const header = "webrpc@v0.31.0;gen-typescript@v0.23.1;flags@v1";
    expect(VersionFromHeader(new Headers({ webrpc: header }))).toEqual({
      WebrpcGenVersion: "v0.31.0",
      codeGenName: "gen-typescript",
      codeGenVersion: "v0.23.1",
      schemaName: "flags",
      schemaVersion: "v1",
    });
  });
});

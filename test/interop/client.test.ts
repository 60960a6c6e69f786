import type { IncomingMessage } from "node:http";
import { isRpcError, RpcError } from "@ridlkit/runtime/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import * as generated from "./generated/index.js";
import { createTestApiClient, type TestApiClient } from "./generated/index.js";
import { startServer, type RunningServer } from "./http.js";
import {
  envelopeOf,
  exchanges,
  getErrorBody,
  schemaErrors,
} from "./wire-table.js";

let server: RunningServer;
let client: TestApiClient;
let seen: { request: IncomingMessage; body: string }[] = [];

/** Replaces the body of the server's response to `method`. */
let instead: { readonly method: string; readonly body: string } | null = null;

/** Returns the status and body of the Go server's response. */
function goAnswer(method: string, body: string): readonly [number, string] {
  if (instead?.method === method) return [200, instead.body];
  if (method === "GetError") return [400, getErrorBody];
  if (method === "GetSchemaError") {
    const { code } = JSON.parse(body) as { code: number };
    const row = schemaErrors.find((error) => error.code === code);
    if (row) return [row.status, envelopeOf(row)];
  }
  const exchange = exchanges.find((each) => each.method === method);
  return exchange ? [exchange.status, exchange.response] : [404, "not found"];
}

beforeAll(async () => {
  server = await startServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      seen.push({ request, body });
      const method = (request.url ?? "").replace("/rpc/TestApi/", "");
      const [status, text] = goAnswer(method, body);
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(text);
    });
  });
  client = createTestApiClient({ baseUrl: server.baseUrl });
});
beforeEach(() => {
  seen = [];
  instead = null;
});
afterAll(() => server.close());

function responseOf(method: string): unknown {
  const exchange = exchanges.find((each) => each.method === method);
  return JSON.parse(exchange?.response ?? "null");
}

describe("the generated client, with responses from the Go server", () => {
  it("sends {} for a method without arguments", async () => {
    expect(await client.getEmpty()).toEqual({});
    const [first] = seen;
    expect(first?.body).toBe("{}");
    expect(first?.request.method).toBe("POST");
    expect(first?.request.url).toBe("/rpc/TestApi/GetEmpty");
    expect(first?.request.headers["content-type"]).toBe("application/json");
  });

  it("round-trips one value", async () => {
    const answer = await client.getOne();
    expect(answer).toEqual(responseOf("GetOne"));
    expect(await client.sendOne(answer)).toEqual({});
    expect(seen[1]?.body).toBe(`{"one":{"id":1,"name":"one"}}`);
  });

  it("round-trips several values", async () => {
    const answer = await client.getMulti();
    expect(answer).toEqual(responseOf("GetMulti"));
    expect(await client.sendMulti(answer)).toEqual({});
    expect(JSON.parse(seen[1]?.body ?? "")).toEqual(responseOf("GetMulti"));
  });

  it("round-trips nested values", async () => {
    const answer = await client.getComplex();
    expect(answer).toEqual(responseOf("GetComplex"));
    expect(await client.sendComplex(answer)).toEqual({});
    expect(JSON.parse(seen[1]?.body ?? "")).toEqual(responseOf("GetComplex"));
  });

  it("rejects integers that a JavaScript number cannot represent exactly", async () => {
    const body = JSON.stringify(responseOf("GetComplex")).replace(
      "4534643543",
      "9007199254740993",
    );
    instead = { method: "GetComplex", body };
    const result = await client.getComplex.result();
    expect(result).toMatchObject({
      ok: false,
      error: { name: "WebrpcBadResponse", reason: "bad-response" },
    });
  });

  it.each([
    ["null", "null"],
    ["not JSON", "<html>"],
    ["empty", ""],
  ])("rejects a response that is %s", async (_, body) => {
    instead = { method: "GetOne", body };
    const result = await client.getOne.result();
    expect(result).toMatchObject({
      ok: false,
      error: { name: "WebrpcBadResponse" },
    });
  });

  it("reads null from Go as an absent value", async () => {
    const user = `{"id":1,"USERNAME":"John-Doe","role":"admin","nickname":null}`;
    const answer = JSON.stringify(responseOf("GetComplex"));
    instead = {
      method: "GetComplex",
      body: answer.replace(/"user":\{[^}]*\}/, `"user":${user}`),
    };
    const { complex } = await client.getComplex();
    expect(complex.user).toEqual({
      id: 1,
      USERNAME: "John-Doe",
      role: "admin",
    });
  });

  it("reads enums in lists and maps", async () => {
    const { list } = await client.getEnumList();
    expect(list).toEqual([
      generated.Status.AVAILABLE,
      generated.Status.NOT_AVAILABLE,
    ]);
    expect(await client.getEnumMap()).toEqual({ map: { READ: 1, WRITE: 2 } });
  });

  it("throws the error that GetError returns", async () => {
    const caught = await client.getError().catch((error: unknown) => error);
    expect(caught).toBeInstanceOf(generated.WebrpcEndpointError);
    expect(caught).toMatchObject({ cause: "internal error" });
  });

  it.each(schemaErrors)("throws $name for $code", async (row) => {
    const caught = await client
      .getSchemaError({ code: row.code })
      .catch((error: unknown) => error);
    const ErrorClass: unknown = Reflect.get(generated, `${row.name}Error`);
    expect(caught).toBeInstanceOf(ErrorClass);
    expect(caught).toBeInstanceOf(RpcError);
    expect(isRpcError(caught, row.name)).toBe(true);
    expect(caught).toMatchObject({
      name: row.name,
      code: row.code,
      message: row.msg,
      msg: row.msg,
      status: row.status,
    });
    expect(Object(caught).cause).toBe(row.cause);
  });

  it("returns errors as results if the caller asks for them", async () => {
    const result = await client.getSchemaError.result({ code: 100 });
    expect(result.ok).toBe(false);
    if (!result.ok) expect(result.error.name).toBe("RateLimited");
    expect(await client.getSchemaError.result({ code: 9 })).toEqual({
      ok: true,
      value: {},
    });
  });
});

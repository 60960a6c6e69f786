import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  connect,
  TransportError,
  type ClientMethod,
} from "../../../runtime/typescript/client/client.js";
import {
  createClient,
  createSender,
  get,
  rpc,
  webhook,
} from "../../../runtime/typescript/codegen/create-client.js";
import { RpcError } from "../../../runtime/typescript/wire/errors.js";
import { parseJsonObject } from "../../../runtime/typescript/codegen/message-json.js";
import { stringifyJson } from "../../../runtime/typescript/wire/json.js";
import {
  decodeInt64,
  decodeList,
  encodeList,
} from "../../../runtime/typescript/codegen/codec.js";
import { reply, startServer, type LocalServer } from "./local-server.js";

interface Request {
  readonly a: string;
  readonly b?: number;
}

interface Response {
  readonly x: string;
}

const ping: ClientMethod<{}, {}, RpcError> = rpc("/rpc/API/Ping");
const getX: ClientMethod<Request, Response, RpcError> = rpc("/rpc/API/GetX");

let server: LocalServer;
let status = 200;
let body = "{}";
let type = "application/json";

beforeAll(async () => {
  server = await startServer((response) => reply(response, status, body, type));
});
afterAll(() => server.close());
beforeEach(() => {
  server.seen.length = 0;
  [status, body, type] = [200, "{}", "application/json"];
});

function clientOf() {
  return createClient({ baseUrl: server.url }, { ping, getX });
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable("it succeeded"),
    (error: unknown) => error,
  );
}

describe("a successful call", () => {
  it("works through connect", async () => {
    body = '{"x":"1"}';
    const connection = connect({ baseUrl: server.url });
    expect(await connection.call(getX, { a: "1" })).toEqual({ x: "1" });
    const result = await connection.result(getX, { a: "1" });
    expect(result).toEqual({ ok: true, value: { x: "1" } });
  });

  it("encodes the request without changing it, and decodes the response", async () => {
    const ids = { ids: [1n, 2n ** 64n - 1n] };
    const method: ClientMethod<typeof ids, typeof ids, never> = rpc(
      "/rpc/A/B",
      {
        parse: parseJsonObject,
        stringify: stringifyJson,
        encode: (request) => ({
          ids: encodeList(request.ids, (id) => id),
        }),
        decode: (value) => ({
          ids: decodeList(Object(value).ids, decodeInt64),
        }),
      },
    );
    body = '{"ids":[5,18446744073709551615]}';
    const sent = Object.freeze({
      ids: Object.freeze([...ids.ids]) as bigint[],
    });
    const value = await connect({ baseUrl: server.url }).call(method, sent);
    expect(value).toEqual({ ids: [5n, 18446744073709551615n] });
    expect(server.seen[0]?.body).toBe('{"ids":[1,18446744073709551615]}');
  });

  it("can use exact JSON for the request only", async () => {
    const method: ClientMethod<{ ids: bigint[] }, Response, never> = rpc(
      "/rpc/A/B",
      { stringify: stringifyJson },
    );
    body = '{"x":"1"}';
    const connection = connect({ baseUrl: server.url });
    const value = await connection.call(method, { ids: [2n ** 63n] });
    expect(value).toEqual({ x: "1" });
    expect(server.seen[0]?.body).toBe('{"ids":[9223372036854775808]}');
  });
});

describe("a response that violates the protocol", () => {
  it("is an error with the beginning of its body", async () => {
    [status, type] = [502, "text/html"];
    body = `<html>${"x".repeat(2000)}</html>`;
    const error = await failureOf(clientOf().getX({ a: "" }));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ status, cause: body.slice(0, 500) });
    const result = await clientOf().getX.result({ a: "" });
    expect(result).toMatchObject({ ok: false, error: { status } });
  });

  it("is reported if it contains a value that cannot be decoded", async () => {
    const method: ClientMethod<{}, bigint, never> = rpc("/rpc/A/B", {
      decode: (value) => decodeInt64(Object(value).id),
    });
    // JSON.parse has rounded the number, so it is rejected.
    body = '{"id":9007199254740993}';
    const call = connect({ baseUrl: server.url }).call(method);
    expect(await failureOf(call)).toMatchObject({
      reason: "bad-response",
      status: 200,
      cause: body,
    });
  });
});

describe("the code of an error", () => {
  it.each([
    '{"valueOf":1,"toString":1}',
    '[{"valueOf":1,"toString":1}]',
    '{"__proto__":null,"toString":1,"valueOf":1}',
  ])("cannot be an object that has no primitive form: %s", async (code) => {
    [status, body] = [409, `{"error":"Conflict","code":${code}}`];
    const failure = { reason: "bad-response", status, cause: body };
    expect(await failureOf(clientOf().ping())).toMatchObject(failure);
  });
});

describe("a REST read", () => {
  interface Tokens {
    readonly network: string;
    readonly ids: readonly string[];
  }
  const tokens: ClientMethod<Tokens, { tokens: unknown }, RpcError> = get(
    "/tokens/{network}/{ids}",
    { body: "tokens" },
  );
  const bare: ClientMethod<Tokens, {}, RpcError> = get(
    "/tokens/{network}/{ids}",
  );

  it("puts the request only in the path", async () => {
    body = "[1,2]";
    const request = { network: "a/b c", ids: ["1", "2/3", "é{network}"] };
    const connection = connect({
      baseUrl: server.url,
      parameters: { network: "other" },
    });
    expect(await connection.call(tokens, request)).toEqual({ tokens: [1, 2] });
    const seen = server.seen[0];
    expect([seen?.method, seen?.body]).toEqual(["GET", ""]);
    expect(seen?.url).toBe("/tokens/a%2Fb%20c/1,2%2F3,%C3%A9%7Bnetwork%7D");
    expect(seen?.headers["content-type"]).toBeUndefined();
    expect(seen?.headers["content-length"]).toBeUndefined();
  });

  it.each(["null", "[]", "{}", '"x"', "0"])(
    "accepts %s as the body",
    async (text) => {
      body = text;
      const connection = connect({ baseUrl: server.url });
      const value = await connection.call(tokens, { network: "a", ids: ["1"] });
      expect(value).toEqual({ tokens: JSON.parse(text) });
    },
  );

  it.each(["", "<html>", '1,"other":2'])(
    "rejects %j as the body",
    async (text) => {
      body = text;
      const connection = connect({ baseUrl: server.url });
      const call = connection.call(tokens, { network: "a", ids: ["1"] });
      expect(await failureOf(call)).toMatchObject({ reason: "bad-response" });
    },
  );

  it("can return the whole message as its body", async () => {
    const connection = connect({ baseUrl: server.url });
    const request = { network: "a", ids: ["1"] };
    expect(await connection.call(bare, request)).toEqual({});
    body = "[]";
    const error = await failureOf(connection.call(bare, request));
    expect(error).toMatchObject({ reason: "bad-response" });
  });

  it("parses a body that is the whole message with the method's parser", async () => {
    body = '{"id":9007199254740993}';
    const exact: ClientMethod<Tokens, unknown, RpcError> = get(
      "/tokens/{network}/{ids}",
      { parse: parseJsonObject },
    );
    const connection = connect({ baseUrl: server.url });
    const request = { network: "a", ids: ["1"] };
    expect(await connection.call(exact, request)).toEqual({
      id: 9007199254740993n,
    });
  });
});

describe("an outbound call", () => {
  const notify: ClientMethod<Request, void, RpcError> = webhook();

  it.each([
    [200, ""],
    [200, "<html>"],
    [201, "null"],
    [204, ""],
  ])("treats the response %i %j as a success", async (answered, text) => {
    [status, body] = [answered, text];
    const sender = createSender({ headers: { "x-id": "7" } }, { notify });
    const url = `${server.url}/hook/{a}?b=1`;
    expect(await sender.notify(url, { a: "1" })).toBeUndefined();
    expect(await sender.notify.result(url, { a: "1" })).toEqual({
      ok: true,
      value: undefined,
    });
    expect(server.seen[0]).toMatchObject({ method: "POST", body: '{"a":"1"}' });
    expect(server.seen[0]?.url).toMatch(/^\/hook\/(\{a\}|%7Ba%7D)\?b=1$/);
    expect(server.seen[0]?.headers["x-id"]).toBe("7");
  });

  it("reports any other response", async () => {
    [status, body] = [410, "gone"];
    const sender = createSender({}, { notify });
    const error = await failureOf(sender.notify(server.url, { a: "1" }));
    expect(error).toMatchObject({ reason: "bad-response", status: 410 });
  });
});

describe("method names", () => {
  it("may be the same as names in Object.prototype", async () => {
    const table = { constructor: ping, toString: ping, ["__proto__"]: ping };
    const client = createClient({ baseUrl: server.url }, table);
    expect(Object.keys(client)).toEqual(Object.keys(table));
    for (const call of Object.values(client)) expect(await call()).toEqual({});
  });
});

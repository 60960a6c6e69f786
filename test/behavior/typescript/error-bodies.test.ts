import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { drawSome } from "../../support/draw-some.js";
import { hosts } from "./hosts.js";
import { lambdaHosts } from "./lambda-hosts.js";
import { listen, type Listening } from "../../support/listen.js";
import { importContract } from "../../support/import-contract.js";
import { exportedFunction, type Exports } from "../../support/run-emitted.js";

interface Shape {
  readonly title: string;
  /** The types that declare the body. */
  readonly types: string;
  /** A response as the real API writes it, and what a client reads. */
  readonly foreign: readonly [status: number, body: object, read: object];
  /** The data of this error, if it is not the body. */
  readonly read?: object;
  /** Data that a handler adds. */
  readonly data: object;
  /** The body that our server writes for it, and for an invalid request. */
  readonly written: object;
  readonly invalid: object;
  readonly mediaType?: string;
}

const why = 'id: expected an unsigned 32-bit integer, got "x"';

const shapes: readonly Shape[] = [
  {
    title: "Asana",
    types: `
struct Body
  - errors: []Item
struct Item
  - message: string
    + error = message
  - help?: string
  - phrase?: string`,
    foreign: [
      404,
      { errors: [{ message: "task: Not a recognized ID: 0", help: "see" }] },
      { name: "NotFound", msg: "task: Not a recognized ID: 0" },
    ],
    data: { errors: [{ help: "see" }, { message: "and more" }] },
    written: {
      errors: [{ message: "no 7", help: "see" }, { message: "and more" }],
    },
    invalid: { errors: [{ message: `bad request: ${why}` }] },
  },
  {
    title: "Box",
    types: `
enum Code: string
  - NotFound = not_found
  - WebrpcBadRequest = bad_request
type OpenCode: string
  + known = Code
struct Body
  - type: string
    + enum = error
  - status: int32
    + error = status
  - code: OpenCode
    + error = name
  - message: string
    + error = message
  - request_id?: string
  - context_info?: any`,
    foreign: [
      404,
      {
        type: "error",
        status: 404,
        code: "not_found",
        message: "Not Found",
        request_id: "abc123",
        context_info: { errors: [{ reason: "invalid_parameter" }] },
        help_url: "http://developers.box.com/docs/#errors",
      },
      { name: "NotFound", code: 4, msg: "Not Found" },
    ],
    data: { request_id: "r1" },
    written: {
      type: "error",
      status: 404,
      code: "not_found",
      message: "no 7",
      request_id: "r1",
    },
    invalid: {
      type: "error",
      status: 400,
      code: "bad_request",
      message: `bad request: ${why}`,
    },
  },
  {
    title: "OpenAI",
    types: `
enum Code: string
  - NotFound = model_not_found
struct Body
  - error: Inner
struct Inner
  - message: string
    + error = message
  - type: string
    + error = title
  - param: string
    + nullable = true
  - code: Code
    + error = name
    + nullable = true`,
    foreign: [
      404,
      {
        error: {
          message: "The model does not exist",
          type: "invalid_request_error",
          param: null,
          code: "model_not_found",
        },
      },
      { name: "NotFound", code: 4, msg: "The model does not exist" },
    ],
    data: { error: { type: "invalid_request_error", param: "model" } },
    written: {
      error: {
        message: "no 7",
        type: "invalid_request_error",
        param: "model",
        code: "model_not_found",
      },
    },
    invalid: {
      error: {
        message: `bad request: ${why}`,
        type: "bad request",
        param: null,
        code: null,
      },
    },
  },
  {
    title: "GitHub",
    types: `
struct Body
  - message: string
    + error = message
  - documentation_url?: string
  - status?: string
    + error = status
  - errors?: []Fault
struct Fault
  - resource: string
  - code: string`,
    foreign: [
      404,
      {
        message: "Not Found",
        documentation_url: "https://docs.github.com/rest",
        status: "404",
      },
      { name: "NotFound", code: 4, msg: "Not Found" },
    ],
    data: { errors: [{ resource: "Issue", code: "missing" }] },
    written: {
      message: "no 7",
      status: "404",
      errors: [{ resource: "Issue", code: "missing" }],
    },
    invalid: { message: `bad request: ${why}`, status: "400" },
  },
  {
    title: "Twilio",
    types: `
struct Body
  - code: int32
    + error = code
  - message: string
    + error = message
  - more_info?: string
  - status: int32
    + error = status`,
    foreign: [
      404,
      {
        code: 4,
        message: "The requested resource was not found",
        more_info: "https://www.twilio.com/docs/errors/20404",
        status: 404,
      },
      { name: "NotFound", code: 4 },
    ],
    data: { more_info: "https://example.com/4" },
    written: {
      code: 4,
      message: "no 7",
      more_info: "https://example.com/4",
      status: 404,
    },
    invalid: { code: -4, message: `bad request: ${why}`, status: 400 },
  },
  {
    title: "DigitalOcean",
    types: `
enum Id: string
  - NotFound = not_found
type OpenId: string
  + known = Id
struct Body
  - id: OpenId
    + error = name
  - message: string
    + error = message
  - request_id?: string`,
    foreign: [
      404,
      {
        id: "not_found",
        message: "The resource you requested could not be found.",
        request_id: "4d9d8375-3c56-4925-a3e7-eb137fed17e9",
      },
      { name: "NotFound", code: 4 },
    ],
    data: { request_id: "r1" },
    written: { id: "not_found", message: "no 7", request_id: "r1" },
    invalid: { id: "WebrpcBadRequest", message: `bad request: ${why}` },
  },
  {
    title: "RFC 9457",
    mediaType: "application/problem+json",
    types: `
enum Type: string
  - NotFound = "https://example.com/not-found"
type OpenType: string
  + known = Type
struct Body
  - type: OpenType
    + error = name
  - title: string
    + error = title
  - status: int32
    + error = status
  - detail: string
    + error = message
  - cause?: string
    + error = cause
  - at?: timestamp
  - more: map<string,any>
    + extra = true`,
    foreign: [
      404,
      {
        type: "https://example.com/not-found",
        title: "Not found",
        status: 404,
        detail: "There is no order 7",
        cause: "it was deleted",
        balance: 30,
      },
      { name: "NotFound", cause: "it was deleted" },
    ],
    read: {
      type: "https://example.com/not-found",
      title: "Not found",
      status: 404,
      detail: "There is no order 7",
      cause: "it was deleted",
      more: { balance: 30 },
    },
    data: { title: "Not found", more: { balance: 30 } },
    written: {
      type: "https://example.com/not-found",
      title: "Not found",
      status: 404,
      detail: "no 7",
      balance: 30,
    },
    invalid: {
      type: "WebrpcBadRequest",
      title: "bad request",
      status: 400,
      detail: "bad request",
      cause: why,
    },
  },
];

function contractOf({ mediaType = "application/json", types }: Shape): string {
  return `webrpc = v1
name = shop
version = v1.0.0
${types}

type Failure: Body
  + errorBody = "${mediaType}"

error 4 NotFound "not found" HTTP 404
error 5 Conflict "conflict" HTTP 409
error 6 Closed "closed" HTTP 409
error 7 Forbidden "forbidden" HTTP 401

type Token: string
  + header = X-Token
  + error = Forbidden

service Shop
  @http:"GET /things/{id}"
  - Find(id: uint32) => (name: string) errors NotFound | Conflict | Closed
  @auth:"X-Token"
  - Change(id: uint32)
  - Watch(id: uint32) => stream (count: uint32) errors NotFound
`;
}

/** What the server of a test sends in place of the API's own responses. */
let foreign: readonly [status: number, body: string];

const other = createServer((_, response) => {
  response.writeHead(foreign[0], { "content-type": "application/json" });
  response.end(foreign[1]);
});

let listening: Listening;

beforeAll(async () => {
  listening = await listen(other);
});

afterAll(() => listening.close());

const everywhere = [...hosts, ...lambdaHosts];

describe.each(shapes)("errors with the body of $title", (shape) => {
  let emitted: Exports;
  let own: Listening;
  let server: RpcServer;
  let failure: unknown;
  const onError = vi.fn();

  beforeAll(async () => {
    emitted = await importContract(contractOf(shape));
    const create = exportedFunction(emitted, "createShopServer");
    const fail = (): never => {
      throw failure;
    };
    async function* watch() {
      yield { count: 1 };
      throw failure;
    }
    server = create({
      handlers: { shop: { find: fail, change: fail, watch } },
      verifyToken: () => false,
      onError,
    }) as RpcServer;
    own = await listen(createServer(toNodeHandler(server)));
  });

  afterAll(() => own.close());

  function errorOf(name: string, options: object): unknown {
    return Reflect.construct(Object(emitted[`${name}Error`]), [options]);
  }

  async function failureOf(url: string, method = "find"): Promise<any> {
    const create = exportedFunction(emitted, "createShopClient");
    const client = Object(create({ baseUrl: url }));
    return client[method]({ id: 7 }).then(
      expect.unreachable,
      (error: unknown) => Object(error),
    );
  }

  async function ask(path: string, init?: RequestInit) {
    const response = await fetch(own.url + path, init);
    const type = response.headers.get("content-type");
    return { status: response.status, type, body: await response.json() };
  }

  const type = shape.mediaType ?? "application/json";

  it("reads what the real API writes", async () => {
    const [status, body, read] = shape.foreign;
    foreign = [status, JSON.stringify(body)];
    const error = await failureOf(listening.url);
    expect(error).toMatchObject({ ...read, status });
    expect(error).toBeInstanceOf(Object(emitted["NotFoundError"]));
    expect(Object.keys(error)).not.toContain("data");
    expect(error.data).toEqual(shape.read ?? body);
  });

  it("writes the error of a handler and reads it again", async () => {
    failure = errorOf("NotFound", { message: "no 7", data: shape.data });
    const { body, ...rest } = await ask("/things/7");
    expect(rest).toEqual({ status: 404, type });
    expect(body).toEqual(shape.written);
    const error = await failureOf(own.url);
    expect(error).toMatchObject({ name: "NotFound", code: 4, msg: "no 7" });
    expect(error.data).toMatchObject(shape.data);
    failure = errorOf("NotFound", {});
    expect((await failureOf(own.url)).msg).toBe("not found");
  });

  it("writes the errors that the server creates", async () => {
    const invalid = await ask("/things/x");
    expect(invalid).toEqual({ status: 400, type, body: shape.invalid });
    const unknown = await ask("/nothing");
    expect([unknown.status, unknown.type]).toEqual([404, type]);
    const verb = await ask("/things/7", { method: "DELETE" });
    expect([verb.status, verb.type]).toEqual([405, type]);
    const refused = await ask("/rpc/Shop/Change", { method: "POST" });
    expect([refused.status, refused.type]).toEqual([401, type]);
    expect(JSON.stringify([unknown, verb, refused])).not.toContain('"msg"');
    expect(await failureOf(own.url, "change")).toMatchObject({
      name: "Forbidden",
      status: 401,
      msg: expect.stringMatching(/^forbidden(: header X-Token|$)/u),
    });
  });

  it("writes the same on every host", async () => {
    failure = errorOf("NotFound", { message: "no 7", data: shape.data });
    for (const host of drawSome(everywhere, 3, shapes.indexOf(shape))) {
      const running = await host.start(server);
      const request = { verb: "GET", headers: {}, body: null };
      const got = await running.send({ ...request, path: "/things/7" });
      await running.close();
      const about = [host.name, got.status, got.header("content-type")];
      expect(about).toEqual([host.name, 404, expect.stringContaining(type)]);
      expect(JSON.parse(got.text)).toEqual(shape.written);
    }
  });

  it("reveals nothing about an unexpected failure", async () => {
    failure = new Error("password of the database");
    const { body, status } = await ask("/things/7");
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain("password");
    expect(Object.keys(shape.invalid)).toEqual(
      expect.arrayContaining(Object.keys(body)),
    );
  });

  it("replaces data that violates the contract", async () => {
    const circular: Record<string, unknown> = {};
    for (const data of [wrong(shape), circular]) {
      onError.mockReset();
      circular["errors"] = circular["error"] = circular["message"] = circular;
      circular["detail"] = circular;
      failure = errorOf("NotFound", { data });
      const { body, status } = await ask("/things/7");
      expect(status).toBe(500);
      expect(onError).toHaveBeenCalledOnce();
      expect(Object.keys(shape.invalid)).toEqual(
        expect.arrayContaining(Object.keys(body)),
      );
    }
  });

  it("sends an envelope with the body as the last line of a stream", async () => {
    failure = errorOf("NotFound", { message: "no 7", data: shape.data });
    const create = exportedFunction(emitted, "createShopClient");
    const client = Object(create({ baseUrl: own.url }));
    const items: unknown[] = [];
    for await (const item of client.watch.result({ id: 7 })) items.push(item);
    expect(items).toHaveLength(2);
    const { error } = Object(items[1]);
    expect(error).toMatchObject({ name: "NotFound", status: 404, msg: "no 7" });
    expect(error.data).toMatchObject(shape.data);
  });

  it.each([
    ["text", "<html>Bad gateway</html>"],
    ["nothing", ""],
    ["a list", "[]"],
    ["null", "null"],
    ["text in JSON", '"failed"'],
    ["deep JSON", "[".repeat(200_000)],
    ["a cut object", '{"errors":[{"message":'],
  ])("reports %s in place of the body", async (_, text) => {
    foreign = [502, text];
    const error = await failureOf(listening.url);
    expect(error).toMatchObject({
      name: "WebrpcBadResponse",
      reason: "bad-response",
      status: 502,
    });
  });

  it.each([
    ["nothing known", "{}"],
    [
      "members of the prototype",
      '{"__proto__":{"message":"a"},"constructor":1}',
    ],
    [
      "other types",
      '{"errors":7,"error":[],"code":{},"id":[],"type":1,"status":{},"message":[],"detail":0}',
    ],
    [
      "members without a text form",
      '{"code":{"toString":1,"valueOf":1},"id":{"toString":1},"message":{"toString":1}}',
    ],
    ["an endless code", '{"code":1e999,"id":"1e999"}'],
    [
      "deep members",
      `{"errors":[{"message":${"[".repeat(900)}${"]".repeat(900)}}],"message":{}}`,
    ],
    ["huge text", JSON.stringify({ unknown: "x".repeat(4_000_000) })],
  ])("reads an object with %s by its status", async (_, text) => {
    foreign = [409, text];
    // Two errors of the method have this status.
    const unknown = await failureOf(listening.url);
    expect(unknown).toMatchObject({ name: "WebrpcEndpoint", status: 409 });
    foreign = [404, text];
    const only = await failureOf(listening.url);
    expect(only).toMatchObject({ name: "NotFound", code: 4, status: 404 });
    expect(typeof only.msg).toBe("string");
  });
});

/** Returns the members of a body with values of another type. */
function wrong({ invalid }: Shape): object {
  return Object.fromEntries(Object.keys(invalid).map((key) => [key, true]));
}

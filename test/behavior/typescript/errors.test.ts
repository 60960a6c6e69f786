import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorText } from "../../../generator/4-emit/names/casing.js";
import {
  builtInErrors,
  describeError,
  fromEnvelope,
  isRpcError,
  RpcError,
  toEnvelope,
  WebrpcBadRouteError,
  type RpcErrorOptions,
} from "../../../runtime/typescript/wire/errors.js";
import { errorTable } from "../../../runtime/typescript/wire/errors.js";
import * as exported from "../../../runtime/typescript/wire/errors.js";
import { call } from "../../../runtime/typescript/client/client.js";
import { rpc } from "../../../runtime/typescript/codegen/create-client.js";
import { TransportError } from "../../../runtime/typescript/client/transport-error.js";
import { WebrpcError } from "../../../runtime/typescript/codegen/webrpc-errors.js";

const permissionDenied = {
  name: "PermissionDenied",
  code: 1001,
  message: "Permission denied",
  status: 403,
} as const;

class PermissionDeniedError extends RpcError<"PermissionDenied"> {
  static override readonly errorName = "PermissionDenied";
  constructor(options?: RpcErrorOptions) {
    super(permissionDenied, options);
  }
}

class OwnDeniedError extends PermissionDeniedError {}

describe("an error table", () => {
  it("uses the words of an error's name as its default message", () => {
    const { BookNotFound, Gone } = errorTable({
      BookNotFound: [1, 404],
      Gone: [2, 410, "it is gone"],
    });
    expect(BookNotFound).toEqual({
      name: "BookNotFound",
      code: 1,
      message: "Book not found",
      status: 404,
    });
    expect(Gone.message).toBe("it is gone");
  });

  it("splits every name into the same words as the generator", () => {
    const part = fc.constantFrom("Webrpc", "HTTP", "ERC20", "é", "_", "a", "B");
    const name = fc.array(part, { minLength: 1 }).map((all) => all.join(""));
    fc.assert(
      fc.property(name, (each) => {
        const [row] = Object.values(errorTable({ [each]: [1, 400] }));
        expect(row?.message).toBe(errorText(each));
      }),
    );
  });
});

describe("RpcError", () => {
  it("contains the values of its row in the error table", () => {
    const error = new PermissionDeniedError();
    expect(error).toMatchObject({
      name: "PermissionDenied",
      code: 1001,
      message: "Permission denied",
      msg: "Permission denied",
      status: 403,
    });
    expect(error.cause).toBeUndefined();
    expect(String(error)).toBe("PermissionDenied: Permission denied");
  });

  it("accepts another message and a cause", () => {
    const cause = new Error("disk");
    const error = new PermissionDeniedError({ message: "Not you", cause });
    expect(error.message).toBe("Not you");
    expect(error.msg).toBe("Not you");
    expect(error.cause).toBe(cause);
    expect(Object.keys(error).sort()).toEqual([
      "code",
      "msg",
      "name",
      "status",
    ]);
  });

  it.each([
    new PermissionDeniedError(),
    new PermissionDeniedError({ cause: undefined }),
    new TransportError("timeout"),
    new TransportError("stream-lost"),
    new WebrpcError(),
    new WebrpcError({ cause: undefined }),
    fromEnvelope({ error: "X" }, 500),
  ])("has no cause if none is given: %s", (error) => {
    expect(error).not.toHaveProperty("cause");
    expect(inspect(error)).not.toContain("cause");
  });

  it("writes only the keys of an envelope, in the protocol's order", () => {
    const error = new PermissionDeniedError({ cause: "read only" });
    expect(JSON.stringify(toEnvelope(error))).toBe(
      '{"error":"PermissionDenied","code":1001,"msg":"Permission denied","cause":"read only","status":403}',
    );
  });

  it("does not send causes that are not strings", () => {
    for (const cause of [new Error("secret"), { secret: 1 }, 7, null]) {
      expect(toEnvelope(new PermissionDeniedError({ cause }))).toEqual({
        error: "PermissionDenied",
        code: 1001,
        msg: "Permission denied",
        status: 403,
      });
    }
  });
});

describe("instanceof", () => {
  it("compares names, even for plain errors", () => {
    const plain = new RpcError(permissionDenied);
    expect(plain).toBeInstanceOf(PermissionDeniedError);
    expect(plain).toBeInstanceOf(RpcError);
    expect(plain).toBeInstanceOf(Error);
    expect(plain).not.toBeInstanceOf(WebrpcBadRouteError);
    expect(new WebrpcBadRouteError()).not.toBeInstanceOf(PermissionDeniedError);
  });

  it("recognizes errors from another copy of the runtime", () => {
    class Foreign extends Error {
      override readonly name = "PermissionDenied";
      readonly isRpcError = true;
    }
    expect(new Foreign()).toBeInstanceOf(RpcError);
    expect(new Foreign()).toBeInstanceOf(PermissionDeniedError);
    expect(new Foreign()).not.toBeInstanceOf(WebrpcBadRouteError);
  });

  it("works as usual for classes without their own name", () => {
    expect(new OwnDeniedError()).toBeInstanceOf(OwnDeniedError);
    expect(new OwnDeniedError()).toBeInstanceOf(PermissionDeniedError);
    expect(new PermissionDeniedError()).not.toBeInstanceOf(OwnDeniedError);
  });

  it("rejects everything else", () => {
    const others = [null, undefined, 1, "x", {}, [], new Error("x"), () => 1];
    for (const other of others) {
      expect(other instanceof RpcError).toBe(false);
      expect(other instanceof PermissionDeniedError).toBe(false);
      expect(other instanceof TransportError).toBe(false);
      expect(isRpcError(other)).toBe(false);
    }
  });
});

describe("isRpcError", () => {
  it("compares the name if one is given", () => {
    const error: unknown = new RpcError(permissionDenied);
    expect(isRpcError(error)).toBe(true);
    expect(isRpcError(error, "PermissionDenied")).toBe(true);
    expect(isRpcError(error, "NotFound")).toBe(false);
  });
});

describe("fromEnvelope", () => {
  it("reads the output of toEnvelope", () => {
    const error = new PermissionDeniedError({ cause: "read only" });
    const read = fromEnvelope(toEnvelope(error), error.status);
    expect(read).toBeInstanceOf(PermissionDeniedError);
    expect(read && toEnvelope(read)).toEqual(toEnvelope(error));
  });

  it.each([
    [{ error: "X", code: 4242, msg: "m", status: 418 }, ["X", 4242, "m", 502]],
    [{ name: "X", code: 7, message: "m" }, ["X", 7, "m", 502]],
    [{ error: "X" }, ["X", 0, "X", 502]],
    [{ error: "X", name: "Y", msg: "a", message: "b" }, ["X", 0, "a", 502]],
    [{ error: "X", code: "abc", status: "abc" }, ["X", 0, "X", 502]],
    [{ error: "X", msg: "" }, ["X", 0, "", 502]],
  ])("reads %j", (json, [name, code, message, status]) => {
    const error = fromEnvelope(json, 502);
    expect(error).toMatchObject({ name, code, message, status });
    expect(error).toBeInstanceOf(RpcError);
  });

  it.each([{ a: 1 }, ["a"], 7, null])("ignores the cause %j", (cause) => {
    const error = fromEnvelope({ error: "X", cause }, 500);
    expect(error).not.toHaveProperty("cause");
  });

  it.each([null, 1, "text", true, [], {}, { code: 1 }, { error: { name: 1 } }])(
    "finds no envelope in %j",
    (json) => expect(fromEnvelope(json, 500)).toBeUndefined(),
  );
});

describe("the built-in errors", () => {
  it("match section 7 of the interface document", () => {
    const rows = Object.values(builtInErrors).map((row) =>
      [row.name, row.code, row.message, row.status].join(" | "),
    );
    expect(rows).toEqual([
      "WebrpcEndpoint | 0 | endpoint error | 400",
      "WebrpcRequestFailed | -1 | request failed | 400",
      "WebrpcBadRoute | -2 | bad route | 404",
      "WebrpcBadMethod | -3 | bad method | 405",
      "WebrpcBadRequest | -4 | bad request | 400",
      "WebrpcBadResponse | -5 | bad response | 500",
      "WebrpcServerPanic | -6 | server panic | 500",
      "WebrpcInternalError | -7 | internal error | 500",
      "WebrpcClientDisconnected | -8 | client disconnected | 400",
      "WebrpcStreamLost | -9 | stream lost | 400",
    ]);
  });

  it("all have a class", () => {
    const all: Readonly<Record<string, unknown>> = exported;
    for (const definition of Object.values(builtInErrors)) {
      const Class = all[`${definition.name}Error`];
      expect(Class).toBeTypeOf("function");
      const error: unknown = Reflect.construct(Object(Class), []);
      expect(error).toMatchObject(definition);
      expect(new RpcError(definition) instanceof Object(Class)).toBe(true);
    }
  });
});

describe("describeError", () => {
  const badRequest = { code: -4, status: 400, error: "WebrpcBadRequest" };
  const refused = Object.assign(new Error("connect ECONNREFUSED ::1:8080"), {
    code: "ECONNREFUSED",
  });
  const several = Object.assign(new AggregateError([refused], ""), {
    code: "ECONNREFUSED",
  });
  const network = (cause: Error): TransportError =>
    new TransportError("network", {
      cause: new TypeError("fetch failed", { cause }),
    });

  it.each([
    [
      "a server that cannot be reached",
      network(refused),
      "WebrpcRequestFailed: network: fetch failed: connect ECONNREFUSED ::1:8080",
    ],
    [
      "a host with several addresses",
      network(several),
      "WebrpcRequestFailed: network: fetch failed: ECONNREFUSED: connect ECONNREFUSED ::1:8080",
    ],
    [
      "a page instead of a response",
      new TransportError("bad-response", {
        status: 404,
        cause: "<!doctype html>\n<title>Not found</title>",
      }),
      "WebrpcBadResponse: bad-response: HTTP 404: <!doctype html> <title>Not found</title>",
    ],
    [
      "a field that the server refuses",
      fromEnvelope(
        { ...badRequest, msg: "bad request", cause: "expected id, got 7" },
        400,
      ),
      "WebrpcBadRequest: bad request: expected id, got 7",
    ],
    ["text that controls a terminal", "a\u001b[2J\u202eb", "a [2J b"],
    ["an error without a text", Object.create(null), ""],
    ["undefined", undefined, ""],
  ])("describes %s", (_name, error, line) => {
    expect(describeError(error)).toBe(line);
  });

  it("is short for endless causes and long texts", () => {
    const error = new Error("x".repeat(10_000_000));
    error.cause = error;
    expect(describeError(error)).toBe(`${"x".repeat(999)}…`);
    const short = new Error("x");
    short.cause = short;
    expect(describeError(short)).toBe("x: x: x: x: x: x");
  });

  it("describes what fetch really reports", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const baseUrl = `http://127.0.0.1:${port}`;
    const error: unknown = await call({ baseUrl }, rpc("/rpc/A/B"), {}).catch(
      (reason: unknown) => reason,
    );
    expect(describeError(error)).toBe(
      `WebrpcRequestFailed: network: fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`,
    );
  });
});

import { toNodeHandler } from "@ridlkit/runtime/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createTestServer } from "./generated/server.js";
import { createInteropHandler } from "./handlers.js";
import { startServer, type RunningServer } from "./http.js";
import {
  envelopeOf,
  exchanges,
  getErrorBody,
  schemaErrors,
} from "./wire-table.js";

let server: RunningServer;
let wasThrown: unknown[] = [];
beforeAll(async () => {
  const handler = createInteropHandler();
  server = await startServer(
    toNodeHandler(
      createTestServer({
        handlers: {
          testApi: {
            ...handler,
            getEnumMap: (request, context) => {
              if (context.header("x-fail") === "yes") throw new Error("secret");
              return handler.getEnumMap(request, context);
            },
          },
        },
        onError: (error) => wasThrown.push(error),
      }),
    ),
  );
});
afterAll(() => server.close());

/** The headers that Go's client sends in every request. */
const goHeaders = {
  Accept: "application/json",
  "Content-Type": "application/json",
  Webrpc: "webrpc@v0.44.0;gen-golang@v0.35.0;Test@v0.10.0",
};

function post(
  method: string,
  body: string,
  headers: Readonly<Record<string, string>> = goHeaders,
): Promise<Response> {
  const url = `${server.baseUrl}/rpc/TestApi/${method}`;
  return fetch(url, { method: "POST", headers, body });
}

async function envelope(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>;
}

describe("the generated server, called as the Go client calls it", () => {
  it.each(exchanges)("$method $request", async (row) => {
    const response = await post(row.method, row.request);
    expect(response.status).toBe(row.status);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toEqual(JSON.parse(row.response));
  });

  it("answers GetError", async () => {
    const response = await post("GetError", "null");
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(JSON.parse(getErrorBody));
  });

  it.each(schemaErrors)("answers $name for $code", async (row) => {
    const response = await post("GetSchemaError", `{"code":${row.code}}`);
    expect(response.status).toBe(row.status);
    expect(await response.json()).toEqual(JSON.parse(envelopeOf(row)));
  });

  it("rejects an unexpected value", async () => {
    const response = await post("SendOne", `{"one":{"id":2,"name":"one"}}`);
    expect(await envelope(response)).toMatchObject({
      error: "UnexpectedValue",
      code: 8,
      status: 400,
    });
  });
});

describe("the generated server in edge cases", () => {
  it("rejects unknown paths", async () => {
    const url = `${server.baseUrl}/rpc/TestApi/Nothing`;
    const response = await fetch(url, { method: "POST", headers: goHeaders });
    expect(response.status).toBe(404);
    expect(await envelope(response)).toMatchObject({ error: "WebrpcBadRoute" });
  });

  it.each(["GET", "PUT", "DELETE", "PATCH"])("rejects %s", async (method) => {
    const url = `${server.baseUrl}/rpc/TestApi/GetEmpty`;
    const response = await fetch(url, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
    expect(await envelope(response)).toMatchObject({
      error: "WebrpcBadMethod",
      code: -3,
    });
  });

  it.each([
    "application/json;charset=utf-8",
    "application/json ; charset=utf-8",
    "Application/JSON",
  ])("accepts %s", async (type) => {
    const headers = { "Content-Type": type };
    expect((await post("GetOne", "{}", headers)).status).toBe(200);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "text/json"])(
    "rejects %s",
    async (type) => {
      const response = await post("GetOne", "{}", { "Content-Type": type });
      expect(response.status).toBe(415);
      expect(await envelope(response)).toMatchObject({
        error: "WebrpcBadRequest",
        code: -4,
      });
    },
  );

  it.each(["{", "", "[1]", `"one"`, `{"one":[]}`, `{"one":{"id":"1"}}`])(
    "rejects the body %s",
    async (body) => {
      const response = await post("SendOne", body);
      expect(response.status).toBe(400);
      expect(await envelope(response)).toMatchObject({
        error: "WebrpcBadRequest",
        code: -4,
        cause: expect.any(String),
      });
    },
  );

  it("accepts null, an object, and nothing for a method without arguments", async () => {
    for (const body of ["null", "{}", `{"more":1}`, ""]) {
      expect((await post("GetEmpty", body)).status).toBe(200);
    }
  });

  it("ignores unknown fields", async () => {
    const response = await post("GetSchemaError", `{"code":9,"more":[1]}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({});
  });

  // This behavior differs from the Go server's on purpose.
  it.each([
    [
      "a missing field",
      `{"one":{"id":1}}`,
      "one.name: expected a string, got nothing",
    ],
    [
      "null for a required field",
      `{"one":null}`,
      "one: expected an object, got null",
    ],
  ])("reports %s instead of using a zero value", async (_, body, cause) => {
    const response = await post("SendOne", body);
    expect(response.status).toBe(400);
    expect(await envelope(response)).toMatchObject({ cause });
  });

  it("rejects an unknown enum value", async () => {
    const { request } = exchanges.find(
      ({ method }) => method === "SendComplex",
    ) ?? { request: "" };
    const body = request.replace("AVAILABLE", "AWAY");
    const response = await post("SendComplex", body);
    expect(response.status).toBe(400);
    const { cause } = await envelope(response);
    expect(cause).toMatch(/^complex\.status: expected .*, got "AWAY"$/);
  });

  it("rejects an integer that a JavaScript number cannot represent exactly", async () => {
    const { request } = exchanges.find(
      ({ method }) => method === "SendComplex",
    ) ?? { request: "" };
    const body = request.replace("4534643543", "9007199254740993");
    const response = await post("SendComplex", body);
    expect(response.status).toBe(400);
    const { cause } = await envelope(response);
    expect(cause).toMatch(
      /^complex\.numsList\[3\]: expected .*, got about 9007199254740992$/,
    );
  });

  it("hides exceptions", async () => {
    wasThrown = [];
    const headers = { ...goHeaders, "X-Fail": "yes" };
    const response = await post("GetEnumMap", "null", headers);
    expect(response.status).toBe(500);
    expect(await envelope(response)).toEqual({
      error: "WebrpcInternalError",
      code: -7,
      msg: "internal error",
      status: 500,
    });
    expect(wasThrown).toMatchObject([{ message: "secret" }]);
  });
});

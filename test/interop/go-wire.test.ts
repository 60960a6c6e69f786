import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import {
  checkResponses,
  type ResponseChecks,
} from "../../runtime/typescript/client/check-responses.js";
import type { RpcServer } from "../../runtime/typescript/server/server.js";
import { exportedFunction, type Exports } from "../support/run-emitted.js";
import { loadGoWire, plain } from "./go-wire.js";

/** Bodies from Go's `encoding/json`, named after what makes them special. */
const bodies: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("go-wire.json", import.meta.url), "utf8"),
);

/** The value that the client and the server read. */
const accepted: Readonly<Record<string, object>> = {
  plain: {},
  "time with an offset": {},
  "time with nanoseconds": { created: new Date("2026-01-02T03:04:05.123Z") },
  "zero time": { created: new Date("0001-01-01T00:00:00Z") },
  "largest exact integer": { count: 9_007_199_254_740_991n },
  "integer beyond a double": { count: 9_007_199_254_740_993n },
  "large number": { ratio: 1e21 },
  "small number": { ratio: 1e-7 },
  "text with HTML": { text: "<b>&</b>" },
  "text with line separators": { text: "a\u2028b\u2029c" },
  "text that is not UTF-8": { text: "a\ufffdb" },
  "empty lists": { names: [], data: new Uint8Array(), scores: {} },
  "nil any": { any: null },
  "optional value that is present": { note: "n" },
};

/**
 * Bodies with `null` for a required value, and the value that `null` may
 * represent.
 */
const nil: Readonly<Record<string, object>> = {
  "nil list": { names: [] },
  "nil bytes": { data: new Uint8Array() },
  "nil map": { scores: {} },
};

let strict: Exports = {};
let lenient: Exports = {};
beforeAll(async () => {
  strict = await loadGoWire(false);
  lenient = await loadGoWire(true);
});

/**
 * Sends a body to the server. Returns the status and the handler's argument.
 */
async function send(
  exports: Exports,
  body: string,
): Promise<{ status: number; item: unknown }> {
  let item: unknown = null;
  const createServer = exportedFunction(exports, "createGoWireServer");
  const server = createServer({
    handlers: {
      goWire: {
        echo(request: { readonly item: unknown }) {
          item = request.item;
          return request;
        },
      },
    },
  }) as RpcServer;
  const { status } = await server.fetch(
    new Request("https://example.com/rpc/GoWire/Echo", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    }),
  );
  return { status, item };
}

/**
 * Returns the result of a client that reads a body.
 *
 * Input: whether the client checks responses.
 */
async function receive(
  exports: Exports,
  body: string,
  isChecked = false,
): Promise<unknown> {
  const createClient = exportedFunction(exports, "createGoWireClient");
  const checks = exports["goWireResponseChecks"] as ResponseChecks;
  const client = Object(
    createClient({
      baseUrl: "https://example.com",
      use: isChecked ? [checkResponses(checks, "throw")] : [],
      fetch: () =>
        Promise.resolve(
          new Response(`${body}\n`, {
            headers: { "content-type": "application/json; charset=utf-8" },
          }),
        ),
    }),
  );
  return client.echo({ item: plain });
}

describe("bodies from Go", () => {
  it("include one case of each kind", () => {
    const known = [...Object.keys(accepted), ...Object.keys(nil)];
    expect(Object.keys(bodies).sort()).toEqual(known.sort());
  });

  it.each(Object.entries(accepted))(
    "%s: a server reads the body",
    async (name, change) => {
      const item = { ...plain, ...change };
      const answer = await send(strict, bodies[name] ?? "");
      expect(answer).toEqual({ status: 200, item });
    },
  );

  it.each(Object.entries(accepted))(
    "%s: a client reads the body",
    async (name, change) => {
      expect(await receive(strict, bodies[name] ?? "")).toEqual({
        item: { ...plain, ...change },
      });
    },
  );

  it.each(Object.keys(nil))("%s: a server rejects the body", async (name) => {
    const answer = await send(strict, bodies[name] ?? "");
    expect(answer).toEqual({ status: 400, item: null });
  });
});

describe("bodies from Go, with `nullAsEmpty`", () => {
  const readable = Object.entries({ ...accepted, ...nil });

  it.each(readable)("%s: a server reads the body", async (name, change) => {
    const item = { ...plain, ...change };
    const answer = await send(lenient, bodies[name] ?? "");
    expect(answer).toEqual({ status: 200, item });
  });

  it.each(readable)("%s: a client reads the body", async (name, change) => {
    const response = { item: { ...plain, ...change } };
    const body = bodies[name] ?? "";
    expect(await receive(lenient, body)).toEqual(response);
    expect(await receive(lenient, body, true)).toEqual(response);
  });
});

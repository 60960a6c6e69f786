import { readFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { connect, createServer as createTcp } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { toNodeHandler } from "../../runtime/typescript/hosts/node/node.js";
import type { RpcServer } from "../../runtime/typescript/server/server.js";
import { listenForTest } from "../support/listen-for-test.js";
import { exportedFunction, type Exports } from "../support/run-emitted.js";
import { loadGoWire, plain } from "./go-wire.js";

/** Bytes from Go's `net/http`, with one character for each byte. */
interface Recorded {
  readonly requests: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<string, string>>;
}

const recorded: Recorded = JSON.parse(
  readFileSync(new URL("go-http.json", import.meta.url), "utf8"),
);

let generated: Exports = {};
beforeAll(async () => {
  generated = await loadGoWire(false);
});

/**
 * Sends a request. Returns the status and envelope of the server's response,
 * and the argument of its handler.
 */
async function send(
  bytes: string,
): Promise<{ status: number; error: string | null; item: unknown }> {
  let item: unknown = null;
  const createServer = exportedFunction(generated, "createGoWireServer");
  const echo = (request: { readonly item: unknown }) => {
    item = request.item;
    return request;
  };
  const server = createServer({ handlers: { goWire: { echo } } }) as RpcServer;
  const { port } = await listenForTest(createHttp(toNodeHandler(server)));
  const text = await new Promise<string>((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1");
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (!received.endsWith("}")) return;
      socket.destroy();
      resolve(received);
    });
    socket.write(bytes, "latin1");
  });
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const error: unknown = JSON.parse(body).error;
  return {
    status: Number(head.slice(9, 12)),
    error: typeof error === "string" ? error : null,
    item,
  };
}

/** Returns the result of a client that reads a response. */
async function receive(answer: string): Promise<unknown> {
  const server = createTcp((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      if (chunk.toString("latin1").endsWith("}")) socket.end(answer, "latin1");
    });
  });
  const { url } = await listenForTest(server);
  const createClient = exportedFunction(generated, "createGoWireClient");
  const client = Object(createClient({ baseUrl: url }));
  const result = await client.echo.result({ item: plain });
  return result.ok ? result.value : result.error;
}

describe("requests from Go's client", () => {
  const fine = { status: 200, error: null, item: plain };
  const bad = { status: 400, error: "WebrpcBadRequest", item: null };
  const expected = {
    "a body of unknown length": fine,
    // Servers do not decompress requests.
    "a compressed body": { ...bad, status: 415 },
    "a connection that closes": fine,
    "a request": fine,
    "a trailing slash": { status: 404, error: "WebrpcBadRoute", item: null },
    "an empty body": bad,
    "an unknown field": fine,
    "header names in capitals": fine,
  };

  it("include one case of each kind", () => {
    expect(Object.keys(recorded.requests)).toEqual(Object.keys(expected));
  });

  it.each(Object.entries(expected))("%s", async (name, answer) => {
    expect(await send(recorded.requests[name] ?? "")).toEqual(answer);
  });
});

describe("responses from Go's server", () => {
  const badResponse = { name: "WebrpcBadResponse", reason: "bad-response" };
  const network = { name: "WebrpcRequestFailed", reason: "network" };
  const expected: Readonly<Record<string, object>> = {
    "a body that is too long": { ...badResponse, status: 413 },
    "a compressed response": { item: plain },
    "a long response in chunks": { item: { ...plain, text: "a".repeat(2000) } },
    "a panic before the response": network,
    "a panic during the response": network,
    "an unknown path": { ...badResponse, status: 404 },
    // Clients do not follow redirects, because they send credentials only to
    // their own address.
    "a redirect to a trailing slash": { ...badResponse, status: 307 },
    "an answer": { item: plain },
    "a response from an encoder": { item: plain },
    "a response without a body": badResponse,
    "an undeclared error": { name: "Teapot", code: 418, status: 418 },
    "an error with a cause": {
      ...{ name: "WebrpcBadRequest", code: -4, status: 400 },
      cause: "failed to read <request>: EOF",
    },
    "no content": badResponse,
  };

  it("include one case of each kind", () => {
    expect(Object.keys(recorded.answers)).toEqual(Object.keys(expected));
  });

  it.each(Object.entries(expected))("%s", async (name, outcome) => {
    const answer = recorded.answers[name] ?? "";
    expect(await receive(answer)).toMatchObject(outcome);
  });
});

// Tests the client and the server with bytes from webrpc's own Go programs.
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import {
  openStream,
  type StreamMethod,
} from "../../../runtime/typescript/client/stream.js";
import { stream } from "../../../runtime/typescript/codegen/create-streams.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { countTo, createClock, sleep } from "./stream-server.js";

interface Message {
  readonly message: { readonly id: number; readonly text: string };
}

const subscribe: StreamMethod<{ username: string }, Message, never> = stream(
  "/rpc/Chat/SubscribeMessages",
);

/** The head that a Go server writes for a stream. */
const head = [
  "HTTP/1.1 200 OK",
  "Cache-Control: no-store",
  "Connection: keep-alive",
  "Content-Type: application/x-ndjson",
  "X-Content-Type-Options: nosniff",
  "Date: Fri, 20 Nov 2026 10:00:00 GMT",
  "Transfer-Encoding: chunked",
  "",
  "",
].join("\r\n");

const end = "0\r\n\r\n";

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/**
 * Starts a server that runs `write` when a request arrives. Returns its URL.
 */
async function goServer(
  write: (socket: Socket) => Promise<void> | void,
): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => void write(socket));
  });
  const { url } = await listenForTest(server);
  return url;
}

async function readAll(baseUrl: string) {
  const given: unknown[] = [];
  try {
    const request = { username: "ann" };
    for await (const item of openStream({ baseUrl }, subscribe, request)) {
      given.push(item);
    }
    return { given, error: null };
  } catch (error) {
    return { given, error };
  }
}

const first = { message: { id: 1, text: "é\u{1f600} hello" } };
const second = { message: { id: 2, text: "bye" } };

describe("a client of a Go server", () => {
  it("reads keep-alives, messages, and the end of the response", async () => {
    const url = await goServer(async (socket) => {
      socket.write(head + chunk("\n"));
      await sleep(5);
      socket.write(chunk(`${JSON.stringify(first)}\n`));
      socket.write(chunk("\n"));
      await sleep(5);
      socket.write(chunk(`${JSON.stringify(second)}\n`) + end);
    });
    expect(await readAll(url)).toEqual({ given: [first, second], error: null });
  });

  it("treats the end of the connection as the end of a stream that is not chunked", async () => {
    const url = await goServer((socket) => {
      const old = head.replace("Transfer-Encoding: chunked\r\n", "");
      socket.end(
        `${old.replace("keep-alive", "close")}\n${JSON.stringify(first)}\n`,
      );
    });
    expect(await readAll(url)).toEqual({ given: [first], error: null });
  });
});

describe("a server for a Go client", () => {
  /**
   * Calls a server as a Go client does. Returns everything that the server
   * sends.
   */
  async function rawCall(
    server: ReturnType<typeof createClock>,
    body: string,
  ): Promise<string> {
    const http = createHttpServer(toNodeHandler(server));
    const { port } = await listenForTest(http);
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (data) => chunks.push(data));
    socket.write(
      [
        "POST /rpc/Clock/Watch HTTP/1.1",
        "Host: 127.0.0.1",
        "User-Agent: Go-http-client/1.1",
        `Content-Length: ${body.length}`,
        "Accept: application/json",
        "Content-Type: application/json",
        "Webrpc: webrpc@v0.44.0;gen-golang@v0.35.0;chat@v1.0.0",
        "Accept-Encoding: gzip",
        "Connection: close",
        "",
        body,
      ].join("\r\n"),
    );
    await once(socket, "close");
    return Buffer.concat(chunks).toString();
  }

  it("responds in the format that Go reads: a head, a line feed, and lines", async () => {
    // A busy machine would end the piece early.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const text = await rawCall(createClock(countTo(2)), "{}");
    const [top = "", body = ""] = text.split("\r\n\r\n", 2);
    expect(top.split("\r\n")[0]).toBe("HTTP/1.1 200 OK");
    const headers = top.toLowerCase().split("\r\n");
    expect(headers).toContain("cache-control: no-store, no-transform");
    expect(headers).toContain("content-type: application/x-ndjson");
    expect(headers).toContain("x-content-type-options: nosniff");
    expect(headers).toContain("transfer-encoding: chunked");
    expect(body + "\r\n\r\n").toBe(chunk('\n{"n":1}\n{"n":2}\n') + end);
  });

  it("accepts null as a request without fields", async () => {
    const row = { checkRequest: null };
    const text = await rawCall(createClock(countTo(1), {}, row), "null");
    expect(text).toContain('\n{"n":1}\n');
  });

  it("sends its head immediately, because Go clients wait for it", async () => {
    let proceed = (): void => {};
    const isOver = new Promise<void>((resolve) => (proceed = resolve));
    const watch = async function* () {
      await isOver;
      yield { n: 1 };
    };
    const http = createHttpServer(toNodeHandler(createClock(watch)));
    const { url } = await listenForTest(http);
    const answer = await fetch(`${url}/rpc/Clock/Watch`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    const first = await answer.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toBe("\n");
    proceed();
  });
});

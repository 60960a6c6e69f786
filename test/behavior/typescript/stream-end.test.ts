import { connect } from "node:net";
import { createServer as createHttp } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { inProcess } from "@ridlkit/runtime/in-process";
import type { Fetch } from "../../../runtime/typescript/client/client.js";
import {
  openStream,
  type StreamMethod,
} from "../../../runtime/typescript/client/stream.js";
import { rpc } from "../../../runtime/typescript/client/client-method.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import { stream } from "../../../runtime/typescript/codegen/create-streams.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import { toNodeListener } from "../../../runtime/typescript/hosts/node/node-listener.js";
import type {
  Outcome as CallOutcome,
  RpcServer,
} from "../../../runtime/typescript/server/server.js";
import {
  createPricesClient,
  type PricesClient,
} from "../../golden/fixtures/event-streams/expected/client.js";
import { createPricesServer } from "../../golden/fixtures/event-streams/expected/server.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { plainRow } from "./sample-server.js";
import {
  countTo,
  createClock,
  geoblocked,
  type Watch,
} from "./stream-server.js";

const watch: StreamMethod = stream("/rpc/Clock/Watch");
/** The method as clients described it before streams had an end. */
const oldWatch: StreamMethod = { item: rpc("/rpc/Clock/Watch") };
const lineTypes = {
  plain: "application/x-ndjson",
  ended: "application/x-ndjson;end=1",
};
const eventTypes = {
  plain: "text/event-stream",
  ended: "text/event-stream;end=1",
};

interface Outcome {
  readonly items: readonly unknown[];
  readonly failure: unknown;
}

/** Reads a stream, and returns its items and the reason or name of its error. */
async function outcomeOf(items: AsyncIterable<unknown>): Promise<Outcome> {
  const all: unknown[] = [];
  try {
    for await (const item of items) all.push(item);
    return { items: all, failure: null };
  } catch (error) {
    const { name, reason = name } = Object(error);
    return { items: all, failure: reason };
  }
}

const answering =
  (text: string, type: string): Fetch =>
  async () =>
    new Response(text, { headers: { "content-type": type } });

const linesFrom = (text: string, type: string) =>
  outcomeOf(openStream({ baseUrl: "", fetch: answering(text, type) }, watch));

const clientOf = (fetch: Fetch): PricesClient =>
  createPricesClient({ baseUrl: "http://host", fetch });

const eventsFrom = (text: string, type: string) =>
  outcomeOf(clientOf(answering(text, type)).ask({ question: "?" }, {}));

async function* failing() {
  yield { n: 1 };
  throw geoblocked();
}

async function bytesOf(
  server: RpcServer,
  path: string,
  accept: string,
): Promise<readonly [type: string | null, text: string]> {
  const isLines = path === "/rpc/Clock/Watch";
  const request = new Request(`http://host${path}`, {
    method: isLines ? "POST" : "GET",
    headers: {
      accept,
      "x-key": "k",
      ...(isLines && { "content-type": "application/json" }),
    },
    ...(isLines && { body: "{}" }),
  });
  const response = await server.fetch(request);
  return [response.headers.get("content-type"), await response.text()];
}

describe("a stream of lines", () => {
  const envelope =
    '{"error":"Geoblocked","code":1001,"msg":"geoblocked","status":451,"cause":"not in Atlantis"}';
  const send = (handler: Watch, accept: string) =>
    bytesOf(createClock(handler), "/rpc/Clock/Watch", accept);

  it("has an end if the client asks for it", async () => {
    const accept = "application/x-ndjson;end=1, */*";
    const [type, text] = await send(countTo(2), accept);
    expect(type).toBe(lineTypes.ended);
    expect(text).toBe('\n{"n":1}\n{"n":2}\n[]\n');
    const [, failed] = await send(failing, accept);
    expect(failed).toMatch(/^\n\{"n":1\}\n\[\{"error":"Geoblocked".*\}\]\n$/u);
    expect((await send(countTo(0), accept))[1]).toBe("\n[]\n");
  });

  it("has the same bytes as webrpc if the client does not ask", async () => {
    for (const accept of ["*/*", "application/x-ndjson", "a/b;end=10"]) {
      const [type, text] = await send(countTo(2), accept);
      expect(type).toBe(lineTypes.plain);
      expect(text).toBe('\n{"n":1}\n{"n":2}\n');
    }
    const [, failed] = await send(failing, "*/*");
    expect(failed).toMatch(
      /\n\{"webrpcError":\{"error":"Geoblocked".*\}\}\n$/u,
    );
  });

  it("is lost if the announced end is missing", async () => {
    const { ended, plain } = lineTypes;
    const items = [{ n: 1 }];
    const text = '\n{"n":1}\n';
    const lost = { items, failure: "stream-lost" };
    const complete = { items, failure: null };
    expect(await linesFrom(text, ended)).toEqual(lost);
    expect(await linesFrom(`${text}[`, ended)).toEqual(lost);
    expect(await linesFrom(`${text}[]`, ended)).toEqual(complete);
    expect(await linesFrom(`${text}[]\n{`, ended)).toEqual(complete);
    // A server of before, and a proxy that removes the parameter.
    expect(await linesFrom(text, plain)).toEqual(complete);
    expect(await linesFrom(`${text}[]\n`, plain)).toEqual(complete);
  });

  it("is read by clients of before", async () => {
    const options = {
      baseUrl: "http://host",
      fetch: inProcess(createClock(failing)),
    };
    expect(await outcomeOf(openStream(options, oldWatch))).toEqual({
      items: [{ n: 1 }],
      failure: "Geoblocked",
    });
    const whole = { ...options, fetch: inProcess(createClock(countTo(2))) };
    expect((await outcomeOf(openStream(whole, oldWatch))).failure).toBeNull();
  });

  it("can have data with the name of the error", async () => {
    const { ended, plain } = lineTypes;
    const text = `\n{"webrpcError":${envelope}}\n`;
    expect(await linesFrom(`${text}[]\n`, ended)).toEqual({
      items: [{ webrpcError: JSON.parse(envelope) }],
      failure: null,
    });
    expect((await linesFrom(text, plain)).failure).toBe("Geoblocked");
    expect((await linesFrom(`\n[${envelope}]\n`, ended)).failure).toBe(
      "Geoblocked",
    );
  });

  it("never sends such data as the error", async () => {
    const onError = vi.fn();
    const forged = { n: 1, webrpcError: { error: "Geoblocked", code: 1 } };
    const server = createClock(
      async function* () {
        yield forged;
        yield { n: 2, text: '"webrpcError"', inner: { webrpcError: 1 } };
      },
      { onError },
    );
    const path = "/rpc/Clock/Watch";
    const rest =
      '{"n":2,"text":"\\"webrpcError\\"","inner":{"webrpcError":1}}\n';
    expect((await bytesOf(server, path, "*/*"))[1]).toBe(`\n{"n":1}\n${rest}`);
    expect(String(onError.mock.calls)).toContain(
      "the item has a member webrpcError, which was not sent",
    );
    expect((await bytesOf(server, path, lineTypes.ended))[1]).toBe(
      `\n${JSON.stringify(forged)}\n${rest}[]\n`,
    );
  });

  it("ends without items if there is no content", async () => {
    const answer = (status: number): Promise<Outcome> => {
      const fetch: Fetch = async () => new Response(null, { status });
      const reconnect = { minDelayMs: 1 };
      return outcomeOf(
        openStream({ baseUrl: "", fetch }, watch, {}, { reconnect }),
      );
    };
    expect(await answer(204)).toEqual({ items: [], failure: null });
    expect(await answer(200)).toEqual({ items: [], failure: "bad-response" });
  });
});

describe("a stream of events", () => {
  const server = createPricesServer({
    handlers: {
      prices: {
        async *watch() {},
        async *ask({ question }) {
          if (question === "fail") throw new Error("failed");
          yield { word: "a" };
        },
        async *beat() {
          yield {};
        },
        async *follow() {},
      },
    },
    verifyKey: () => true,
  });

  it("has an end if the client asks for it", async () => {
    const beat = "/beats";
    const [type, text] = await bytesOf(
      server,
      beat,
      "text/event-stream, text/event-stream;end=1",
    );
    expect(type).toBe(eventTypes.ended);
    expect(text).toBe(":\n\ndata: {}\n\nevent: end\n\n");
    const [plain, before] = await bytesOf(server, beat, "text/event-stream");
    expect(plain).toBe(eventTypes.plain);
    expect(before).toBe(":\n\ndata: {}\n\n");
  });

  it("is lost if the announced end is missing", async () => {
    const { ended, plain } = eventTypes;
    const items = [{ word: "a" }];
    const text = ':\n\ndata: "a"\n\n';
    const lost = { items, failure: "stream-lost" };
    const complete = { items, failure: null };
    for (const cut of ["", "e", "event: end", "event: end\n"])
      expect(await eventsFrom(text + cut, ended)).toEqual(lost);
    expect(await eventsFrom(`${text}event: end\n\n`, ended)).toEqual(complete);
    expect(await eventsFrom(`${text}data: [DONE]`, ended)).toEqual(complete);
    expect(await eventsFrom(text, plain)).toEqual(complete);
    // Other servers may give events this name.
    const more = `event: end\n\n${text}`;
    expect((await eventsFrom(text + more, plain)).items).toHaveLength(2);
    const named = `${text}event: end\ndata: "a"\n\n`;
    expect((await eventsFrom(named, plain)).items).toHaveLength(2);
  });

  it("can have data with the name of the error in streams of lines", async () => {
    const item = { webrpcError: { error: "TickerBusy", code: 1429 } };
    const text = `data: ${JSON.stringify(item)}\n\nevent: end\n\n`;
    for (const type of Object.values(eventTypes)) {
      const items = clientOf(answering(text, type)).beat();
      expect(await outcomeOf(items)).toEqual({ items: [{}], failure: null });
    }
  });
});

/** Sends a request, and returns all that arrives until the connection ends. */
function exchange(
  port: number,
  head: readonly string[],
): Promise<{ readonly text: string; readonly isReset: boolean }> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (part) => (text += part.toString()));
    socket.on("error", () => resolve({ text, isReset: true }));
    socket.on("end", () => resolve({ text, isReset: false }));
    const body = ["content-type: application/json", "content-length: 2"];
    socket.write([...head, ...body, "", "{}"].join("\r\n"));
  });
}

describe("over HTTP/1.0", () => {
  const lines = "POST /rpc/Clock/Watch HTTP/1.0";
  const start = (server: RpcServer) =>
    listenForTest(createHttp(toNodeHandler(server)));

  it("lines with an end are served, and others refused", async () => {
    const handler = vi.fn(countTo(2));
    const onError = vi.fn();
    const { port } = await start(createClock(handler, { onError }));
    const refused = await exchange(port, [lines]);
    expect(refused.text).toMatch(/^HTTP\/1\.1 505 /u);
    expect(refused.text).toContain("nginx: proxy_http_version 1.1");
    expect(handler).not.toHaveBeenCalled();
    expect(onError).toHaveBeenCalledTimes(1);
    const accept = "accept: application/x-ndjson;end=1";
    const { text } = await exchange(port, [lines, accept]);
    expect(text.split("\r\n\r\n")[1]).toBe('\n{"n":1}\n{"n":2}\n[]\n');
  });

  it("events are served", async () => {
    const server = createPricesServer({
      handlers: {
        prices: {
          async *watch() {},
          async *ask() {},
          async *beat() {
            yield {};
          },
          async *follow() {},
        },
      },
      verifyKey: () => true,
    });
    const { port } = await start(server);
    const { text } = await exchange(port, ["GET /beats HTTP/1.0", "x-key: k"]);
    expect(text.split("\r\n\r\n")[1]).toBe(":\n\ndata: {}\n\n");
  });

  const download = (size: number | undefined, isFailing = false): RpcServer => {
    let sent = 0;
    const content = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        pull(controller) {
          sent += 1;
          if (sent === 3 && isFailing) controller.error(new Error("failed"));
          else if (sent === 3) controller.close();
          else controller.enqueue(new Uint8Array(5).fill(97));
        },
      });
    const file = { type: "a/b", stream: content, ...(size && { size }) };
    const options = {
      handlers: { files: { download: () => ({ file }) } },
      onError: () => {},
    };
    return createServer(options, [
      {
        ...plainRow,
        service: "Clock",
        name: "Watch",
        handler: ["files", "download"],
        route: { kind: "rpc", path: "/rpc/Clock/Watch" },
        checkRequest: null,
        checkResponse: () => {},
        download: "file",
      },
    ]);
  };

  it("files of unknown size are refused", async () => {
    const { port } = await start(download(undefined));
    const { text } = await exchange(port, [lines]);
    expect(text).toMatch(/^HTTP\/1\.1 505 /u);
    expect(text).toContain("nginx: proxy_http_version 1.1");
  });

  it.each<[string, (request: Request) => Request]>([
    ["cloned", (request) => request.clone()],
    [
      "changed and cloned",
      (request) => {
        request.headers.set("x-a", "1");
        return request.clone();
      },
    ],
    [
      "copied",
      (request) =>
        new Request(request.clone(), { headers: new Headers(request.headers) }),
    ],
  ])("a %s request changes nothing", async (_, copy) => {
    const open = (server: RpcServer) =>
      listenForTest(
        createHttp(toNodeListener((request) => server.fetch(copy(request)))),
      );
    const refused = [createClock(countTo(2)), download(undefined)];
    for (const server of refused) {
      const { port } = await open(server);
      const { text } = await exchange(port, [lines]);
      expect(text).toMatch(/^HTTP\/1\.1 505 /u);
      expect(text).toContain("nginx: proxy_http_version 1.1");
      const newer = await exchange(port, [
        lines.replace("1.0", "1.1"),
        "host: a",
        "connection: close",
      ]);
      expect(newer.text).toMatch(/^HTTP\/1\.1 200 /u);
    }
    const { port } = await open(createClock(countTo(1)));
    const accept = "accept: application/x-ndjson;end=1";
    const ended = await exchange(port, [lines, accept]);
    expect(ended.text.split("\r\n\r\n")[1]).toBe('\n{"n":1}\n[]\n');
    const sized = await open(download(10));
    const { text } = await exchange(sized.port, [lines]);
    expect(text.split("\r\n\r\n")[1]).toBe("aaaaaaaaaa");
  });

  it("files of known size are served", async () => {
    const { port } = await start(download(10));
    const { text } = await exchange(port, [lines]);
    expect(text.split("\r\n\r\n")[1]).toBe("aaaaaaaaaa");
  });

  it("a file that fails resets the connection", async () => {
    const newer = ["POST /rpc/Clock/Watch HTTP/1.1", "host: a"];
    const isReset = async (size: number | undefined, head: string[]) => {
      const { port } = await start(download(size, true));
      return (await exchange(port, head)).isReset;
    };
    // A client that the system stalls can see the end before the reset.
    await expect.poll(() => isReset(15, [lines])).toBe(true);
    await expect.poll(() => isReset(undefined, newer)).toBe(true);
  });
});

it("is complete for observers once its last piece is sent", async () => {
  const errors: unknown[] = [];
  const observe = () => (outcome: CallOutcome) =>
    void errors.push(outcome.error);
  const server = createClock(countTo(2), { observe });
  const request = new Request("http://host/rpc/Clock/Watch", {
    method: "POST",
    headers: { accept: lineTypes.ended, "content-type": "application/json" },
    body: "{}",
  });
  const reader = (await server.fetch(request)).body?.getReader();
  let text = "";
  while (!text.endsWith("[]\n")) {
    const step = await reader?.read();
    text += new TextDecoder().decode(step?.value);
  }
  await reader?.cancel();
  expect(errors).toEqual([null]);
});

import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { connect, createServer as createHttp2Server } from "node:http2";
import { describe, expect, it, onTestFinished } from "vitest";
import { inProcess } from "../../../runtime/typescript/hosts/in-process.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import type {
  RequestContext,
  RpcServer,
} from "../../../runtime/typescript/server/server.js";
import type { FileData } from "../../../runtime/typescript/wire/file-data.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { countReads } from "./count-reads.js";
import { hosts, listenerHost } from "./hosts.js";
import {
  createUploads,
  startOfUpload,
  uploadHeaders,
} from "./upload-server.js";

interface Call {
  readonly headers: Readonly<Record<string, string>>;
  readonly start: string;
}

/**
 * Sends a request whose body is never completed. Returns a function that closes
 * its connection.
 */
type Begin = (call: Call) => () => void;

const path = "/rpc/Files/Upload";

function beginHttp1(port: number): Begin {
  return ({ headers, start }) => {
    const sent = sendRequest({
      ...{ host: "localhost", port, path, method: "POST" },
      headers: { ...headers, "content-length": start.length + 1000 },
    });
    sent.on("error", () => {});
    sent.write(start);
    const leave = (): void => void sent.destroy();
    onTestFinished(leave);
    return leave;
  };
}

function beginHttp2(url: string): Begin {
  return ({ headers, start }) => {
    const session = connect(url);
    session.on("error", () => {});
    const sent = session.request({
      ...{ ":method": "POST", ":path": path },
      ...headers,
    });
    sent.on("error", () => {});
    sent.write(start);
    const leave = (): void => session.destroy();
    onTestFinished(leave);
    return leave;
  };
}

function beginInProcess(server: RpcServer): Begin {
  return ({ headers, start }) => {
    const left = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode(start)),
    });
    const init = { method: "POST", headers, body, duplex: "half" } as const;
    const { signal } = left;
    void inProcess(server)(path, { ...init, signal });
    return () => left.abort();
  };
}

const starts: Record<string, (server: RpcServer) => Promise<Begin>> = {
  "in the same process": async (server) => beginInProcess(server),
  "node:http2": async (server) => {
    const http2 = createHttp2Server(toNodeHandler(server));
    return beginHttp2((await listenForTest(http2)).url);
  },
};
for (const { name, start } of [...hosts, listenerHost]) {
  if (name === "fetch") continue;
  starts[name] = async (server) => {
    const { close, port = 0 } = await start(server);
    onTestFinished(close);
    return beginHttp1(port);
  };
}

interface Upload {
  readonly file: FileData;
}

/** Creates a server that reads uploads, and the outcomes of its handlers. */
function createReader() {
  const outcomes: string[] = [];
  let startedCount = 0;
  const read = async ({ file }: Upload): Promise<object> => {
    startedCount += 1;
    try {
      for await (const chunk of file.stream()) void chunk;
      outcomes.push("complete");
    } catch (error) {
      outcomes.push(error instanceof Error ? error.name : "no error");
      throw error;
    }
    return {};
  };
  const readLater = (message: Upload): object => {
    read(message).catch(() => {});
    return {};
  };
  type Method = (message: Upload, context: RequestContext) => unknown;
  const serve = (method: Method): RpcServer =>
    createUploads((message, context) => method(message as Upload, context));
  const started = () => startedCount;
  return { outcomes, read, readLater, serve, started };
}

const upload: Call = {
  headers: uploadHeaders,
  start: startOfUpload("fits") + "x".repeat(100_000),
};
const json: Call = {
  headers: { "content-type": "application/json" },
  start: `{"title":"${"x".repeat(100_000)}`,
};
const soon = { "request-timeout-ms": "50" };

it.each([...hosts, listenerHost].filter(({ name }) => name !== "fetch"))(
  "a body declared too large is refused at once on $name",
  async (host) => {
    const options = { maxBodyBytes: 100, bodyTimeoutMs: 600_000 };
    const server = createUploads(() => ({}), options, null);
    const { close, port = 0 } = await host.start(server);
    onTestFinished(close);
    const sent = sendRequest({
      ...{ host: "localhost", port, path, method: "POST" },
      headers: { ...json.headers, "content-length": 200_000 },
    });
    sent.on("error", () => {});
    onTestFinished(() => void sent.destroy());
    sent.write("{");
    const [response] = await once(sent, "response");
    expect(response).toMatchObject({ statusCode: 413 });
  },
);

describe.each(Object.entries(starts))("a body on %s", (_, start) => {
  it("can no longer be read after the deadline", async () => {
    const { outcomes, read, serve } = createReader();
    const begin = await start(serve(read));
    begin({ ...upload, headers: { ...upload.headers, ...soon } });
    await expect.poll(() => outcomes).toEqual(["BodyEndedError"]);
  });

  it("can no longer be read after the handler's response", async () => {
    const { outcomes, readLater, serve } = createReader();
    const begin = await start(serve(readLater));
    begin(upload);
    await expect.poll(() => outcomes).toEqual(["BodyEndedError"]);
  });

  it("can no longer be read after the client has disconnected", async () => {
    const { outcomes, read, serve, started } = createReader();
    const begin = await start(serve(read));
    const leave = begin(upload);
    await expect.poll(started).toBe(1);
    leave();
    await expect.poll(() => outcomes).toEqual(["WebrpcClientDisconnected"]);
  });

  it("is not awaited after the deadline if it is JSON", async () => {
    const counted = countReads(createUploads(() => ({}), {}, null));
    const begin = await start(counted.server);
    begin({ ...json, headers: { ...json.headers, ...soon } });
    await expect.poll(counted.startedCount).toBe(1);
    await expect.poll(counted.pendingCount).toBe(0);
  });

  it("is not awaited after the client has disconnected if it is JSON", async () => {
    const counted = countReads(createUploads(() => ({}), {}, null));
    const begin = await start(counted.server);
    const leave = begin(json);
    await expect.poll(counted.startedCount).toBe(1);
    leave();
    await expect.poll(counted.pendingCount).toBe(0);
  });
});

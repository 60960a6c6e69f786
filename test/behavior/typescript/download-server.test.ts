import { getEventListeners } from "node:events";
import {
  createReadStream,
  mkdtempSync,
  type ReadStream,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer as createHttp } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { FileData } from "../../../runtime/typescript/wire/file-data.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import type {
  RequestContext,
  RpcServer,
  ServerOptions,
} from "../../../runtime/typescript/server/server.js";
import { toFastifyPlugin } from "../../../runtime/typescript/hosts/fastify.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import fastify from "fastify";
import { http2Host } from "../conformance/http2-host.js";
import { expectNothing, watchServer } from "../conformance/open-resources.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { hosts } from "./hosts.js";
import { lambdaStreamHost } from "./lambda-hosts.js";
import { plainRow } from "./sample-server.js";

/**
 * Creates a file with a number of pieces, and a record of whether it has been
 * canceled.
 */
function createSource(pieces: number, size?: number) {
  const state = { isCancelled: false };
  let sent = 0;
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream(
      {
        pull(controller) {
          if (sent === pieces) return controller.close();
          sent += 1;
          controller.enqueue(new Uint8Array(10));
        },
        cancel: () => void (state.isCancelled = true),
      },
      { highWaterMark: 0 },
    );
  const file: FileData = { type: "text/plain", stream, ...(size && { size }) };
  return { file, state };
}

function createDownloads(
  download: (request: unknown, context: RequestContext) => unknown,
  options: ServerOptions = {},
): RpcServer {
  const all = { ...options, handlers: { files: { download } } };
  return createServer(all, [
    {
      ...plainRow,
      service: "Files",
      name: "Download",
      handler: ["files", "download"],
      route: { kind: "rpc", path: "/rpc/Files/Download" },
      checkRequest: null,
      checkResponse: () => {},
      download: "file",
      isReadonly: true,
    },
  ]);
}

const path = "/rpc/Files/Download";

it("cancels a download that is ready after its deadline", async () => {
  const { file, state } = createSource(1);
  const server = createDownloads(
    (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ file }));
      }),
    { timeoutMs: 20 },
  );
  const answer = await server.fetch(
    new Request(`http://host${path}`, { method: "POST" }),
  );
  expect(answer.status).toBe(504);
  await expect.poll(() => state.isCancelled).toBe(true);
});

it("cancels a download that is ready after the client has disconnected", async () => {
  const { file, state } = createSource(1);
  const left = new AbortController();
  const server = createDownloads(() => {
    left.abort();
    return { file };
  });
  const { signal } = left;
  await server.fetch(
    new Request(`http://host${path}`, { method: "POST", signal }),
  );
  await expect.poll(() => state.isCancelled).toBe(true);
});

it("releases its slot if nothing reads an aborted download", async () => {
  const { file, state } = createSource(3);
  const left = new AbortController();
  const server = createDownloads(() => ({ file }), { maxConcurrent: 1 });
  const { signal } = left;
  const first = await server.fetch(
    new Request(`http://host${path}`, { method: "POST", signal }),
  );
  expect(first.status).toBe(200);
  const post = () =>
    server.fetch(new Request(`http://host${path}`, { method: "POST" }));
  expect((await post()).status).toBe(503);
  left.abort();
  await expect.poll(() => state.isCancelled).toBe(true);
  expect((await post()).status).toBe(200);
});

it("cancels a download after a HEAD request", async () => {
  const { file, state } = createSource(3, 30);
  const server = createDownloads(() => ({ file }), { readsByGet: true });
  const url = `http://host${path}`;
  const answer = await server.fetch(new Request(url, { method: "HEAD" }));
  expect(answer.headers.get("content-length")).toBe("30");
  expect(await answer.text()).toBe("");
  expect(state.isCancelled).toBe(true);
});

it.each([5, 10, 15, 20])(
  "cancels a file of 30 bytes before it has sent its declared size of %d bytes",
  async (size) => {
    const { file, state } = createSource(3, size);
    const server = createDownloads(() => ({ file }), { onError: () => {} });
    const answer = await server.fetch(
      new Request(`http://host${path}`, { method: "POST" }),
    );
    let received = 0;
    const read = async (): Promise<void> => {
      for await (const piece of answer.body ?? []) received += piece.length;
    };
    await expect(read()).rejects.toThrow(`does not have ${size} bytes`);
    expect(received).toBeLessThan(size);
    await expect.poll(() => state.isCancelled).toBe(true);
  },
);

it("sends a file that ends with empty pieces", async () => {
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controller) {
        for (const length of [3, 0, 4, 0, 0])
          controller.enqueue(new Uint8Array(length));
        controller.close();
      },
    });
  const file: FileData = { type: "text/plain", size: 7, stream };
  const server = createDownloads(() => ({ file }));
  const answer = await server.fetch(
    new Request(`http://host${path}`, { method: "POST" }),
  );
  expect((await answer.bytes()).length).toBe(7);
});

const starts = {
  "node:http": async (server: RpcServer) =>
    (await listenForTest(createHttp(toNodeHandler(server)))).url,
  Fastify: async (server: RpcServer) => {
    const app = fastify({ forceCloseConnections: true });
    await app.register(toFastifyPlugin(server));
    onTestFinished(() => app.close());
    return app.listen({ port: 0, host: "127.0.0.1" });
  },
};

it.each(Object.entries(starts))(
  "does not abort the signal after a download on %s",
  async (_, start) => {
    const { file } = createSource(3);
    const signals: AbortSignal[] = [];
    const ends: unknown[] = [];
    const server = createDownloads(
      (_request, { signal }) => {
        signals.push(signal);
        return { file };
      },
      {
        timeoutMs: Infinity,
        observe: () => (outcome) => void ends.push(outcome.error),
      },
    );
    const url = await start(server);
    const answer = await fetch(url + path, {
      method: "POST",
      headers: { connection: "close" },
    });
    expect((await answer.bytes()).byteLength).toBe(30);
    await expect.poll(() => ends).toEqual([null]);
    // The host has handled the end of the connection by now.
    await fetch(url, { headers: { connection: "close" } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    const listeners = signals.map((each) => getEventListeners(each, "abort"));
    expect(listeners).toEqual([[]]);
  },
);

/** Creates a file on disk that is removed after the test. */
function writeLargeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-download-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "file");
  writeFileSync(path, new Uint8Array(8 * 1024 * 1024));
  return path;
}

/** Reads the chunks of a Node stream no faster than they are requested. */
function readFrom(source: ReadStream): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void source.destroy(),
  });
}

it.each([...hosts, http2Host, lambdaStreamHost])(
  "closes the file of a download when the client disconnects on $name",
  async ({ start }) => {
    const file = writeLargeFile();
    let isOpen = false;
    const stream = (): ReadableStream<Uint8Array> => {
      isOpen = true;
      const source = createReadStream(file);
      source.on("close", () => (isOpen = false));
      return readFrom(source);
    };
    const { open, server } = watchServer(
      createDownloads(() => ({ file: { type: "text/plain", stream } })),
    );
    const running = await start(server);
    onTestFinished(() => running.close());
    const init = { method: "POST" };
    const answer = await running.fetch(`http://host${path}`, init);
    const reader = answer.body?.getReader();
    await reader?.read();
    expect(isOpen).toBe(true);
    await reader?.cancel();
    await expect.poll(() => isOpen).toBe(false);
    await expectNothing(open);
  },
);

it.each([...hosts, http2Host])(
  "breaks off a download that fails before its first byte on $name",
  async ({ start }) => {
    const pull = (): Promise<void> => Promise.reject(new Error("disk"));
    const stream = (): ReadableStream<Uint8Array> =>
      new ReadableStream({ pull }, { highWaterMark: 0 });
    const file: FileData = { type: "text/plain", stream };
    const running = await start(
      createDownloads(() => ({ file }), { onError: () => {} }),
    );
    onTestFinished(() => running.close());
    const init = { method: "POST" };
    const text = running
      .fetch(`http://host${path}`, init)
      .then((answer) => answer.text());
    await expect(text).rejects.toThrow();
  },
);

import { once } from "node:events";
import { connect, createServer, type ClientHttp2Stream } from "node:http2";
import fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { toFastifyPlugin } from "../../../runtime/typescript/hosts/fastify.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import {
  closeGracefully,
  trackSessions,
} from "../../../runtime/typescript/hosts/node/shutdown.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { listenForTest } from "../../support/listen-for-test.js";
import {
  createUploads,
  endOfUpload,
  startOfUpload,
  uploadHeaders,
} from "./upload-server.js";

const starts = {
  "node:http2": async (server: RpcServer) =>
    (await listenForTest(createServer(toNodeHandler(server)))).url,
  Fastify: async (server: RpcServer) => {
    const app = fastify({ http2: true, forceCloseConnections: true });
    await app.register(toFastifyPlugin(server));
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    onTestFinished(() => app.close());
    return url;
  },
};

/** Starts an upload with 300 kB of a file. */
function begin(url: string, title: string): ClientHttp2Stream {
  const session = connect(url);
  session.on("error", () => {});
  onTestFinished(() => session.destroy());
  const stream = session.request({
    ":method": "POST",
    ":path": "/rpc/Files/Upload",
    ...uploadHeaders,
  });
  stream.on("error", () => {});
  stream.write(startOfUpload(title));
  stream.write("x".repeat(300_000));
  return stream;
}

/** Sends a complete upload, and resolves when its stream is closed. */
async function upload(url: string, title: string) {
  const stream = begin(url, title);
  stream.end(endOfUpload);
  const headers = once(stream, "response");
  const closed = once(stream, "close");
  let text = "";
  stream.on("data", (data) => (text += String(data)));
  const [{ ":status": status }] = (await headers) as [Record<string, unknown>];
  await closed;
  return { status, text, code: stream.rstCode };
}

describe.each(Object.entries(starts))("an HTTP/2 upload to %s", (_, start) => {
  it("is closed without an error if it is rejected", async () => {
    const url = await start(createUploads(() => ({})));
    expect(await upload(url, "invalid")).toEqual({
      status: 400,
      text: expect.stringContaining('"InvalidArgument"'),
      code: 0,
    });
  });

  it("is closed without an error if the handler does not read the file", async () => {
    const url = await start(createUploads(() => ({ done: true })));
    const answer = await upload(url, "fits");
    expect(answer).toEqual({ status: 200, text: '{"done":true}', code: 0 });
  });

  it("is closed without an error if its deadline passes", async () => {
    const handler = () => new Promise(() => {});
    const url = await start(createUploads(handler, { timeoutMs: 50 }));
    expect(await upload(url, "fits")).toEqual({
      status: 504,
      text: expect.stringContaining("no response within 50 ms"),
      code: 0,
    });
  });
});

it("closes an HTTP/2 upload that stalls after the response", async () => {
  const server = createServer(toNodeHandler(createUploads(() => ({}))));
  const sessions = trackSessions(server);
  const { url } = await listenForTest(server);
  await once(begin(url, "invalid").resume(), "response");
  expect(await closeGracefully(server, { sessions })).toBe(true);
});

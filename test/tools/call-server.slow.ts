import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createServerFetch } from "../../tools/call-server.js";
import { createSandbox } from "../cli/support/sandbox.js";
import { runMcp } from "../mcp/run-mcp.js";
import { listenForTest } from "../support/listen-for-test.js";
import { brief, project } from "./test/start-shop.js";

const megabyte = 1024 * 1024;

/** A response body that never ends. */
const endless: Readonly<
  Record<string, (response: ServerResponse, send: () => void) => void>
> = {
  "a text": (response, send) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"book":"');
    send();
  },
  "an error": (response, send) => {
    response.writeHead(500, { "content-type": "application/json" });
    send();
  },
  "a line of a stream": (response, send) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    send();
  },
};

/** Starts a server. Returns its URL and how many bytes each call was sent. */
async function startEndless(
  begin: (response: ServerResponse, send: () => void) => void,
): Promise<{ url: string; sent: number[] }> {
  const sent: number[] = [];
  const chunk = Buffer.alloc(64 * 1024, "a");
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    const at = sent.push(0) - 1;
    const send = (): void => {
      while (!response.destroyed) {
        sent[at] = (sent[at] ?? 0) + chunk.length;
        if (!response.write(chunk)) break;
      }
    };
    response.on("drain", send);
    begin(response, send);
  };
  const { url } = await listenForTest(createServer(answer));
  return { url, sent };
}

describe.each(Object.entries(endless))("%s that never ends", (what, begin) => {
  test("is cut by a limited fetch", async () => {
    const { sent, url } = await startEndless(begin);
    const limits = { maxBytes: megabyte, timeoutMs: 60_000 };
    const response = await createServerFetch(limits)(url);
    await expect(response.text()).rejects.toThrow(
      "the response is larger than 1 MiB",
    );
    // The rest is in the buffers of both sides.
    expect(Math.max(...sent)).toBeLessThan(16 * megabyte);
  });

  test("is cut by `ridl mcp`", async () => {
    const { sent, url } = await startEndless(begin);
    const sandbox = createSandbox(project);
    const mcp = runMcp(["--url", url], { RIDL_X_KEY: "k" }, sandbox.root);
    const client = await mcp.connect();
    const name = (await client.list())[0]?.name ?? "";
    const { isError } = await client.call(name, { isbn: "9780262510875" });
    expect(isError).toBe(true);
    expect(Math.max(...sent)).toBeLessThan(16 * megabyte);
    await mcp.end();
  });

  test("is cut by `ridl call`", async () => {
    const { sent, url } = await startEndless(begin);
    const { exitCode, stderr } = await createSandbox(project).run(
      ["call", "GetBook", "isbn=9780262510875", "--url", url],
      { untilInterrupted: () => new Promise(() => {}) },
    );
    expect(stderr).toMatch(/the response is larger than 32 MiB/u);
    expect(exitCode).toBe(3);
    expect(Math.max(...sent)).toBeLessThan(48 * megabyte);
  });

  test("is cut by `ridl test`", async () => {
    const { sent, url } = await startEndless(begin);
    const { exitCode, stderr } = await createSandbox(project).run([
      ...["test", url, "--method", "Shop.GetBook", ...brief],
    ]);
    // On a slow machine, the time for a stream ends first.
    const isInTime = what !== "a line of a stream" || stderr !== "";
    if (isInTime) {
      expect(stderr).toMatch(/the response is larger than 4 MiB/u);
      expect(exitCode).toBe(2);
    }
    expect(Math.max(...sent)).toBeLessThan(16 * megabyte);
  });
});

test("a limit counts bytes after decompression", async () => {
  const zeros = gzipSync(Buffer.alloc(8 * megabyte));
  const { url } = await listenForTest(
    createServer((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(zeros);
    }),
  );
  const limits = { maxBytes: megabyte, timeoutMs: 60_000 };
  const response = await createServerFetch(limits)(url);
  await expect(response.text()).rejects.toThrow("larger than 1 MiB");
});

test("a response that is read piece by piece has only a limit until it begins", async () => {
  const limits = { maxBytes: megabyte, timeoutMs: 200, isPiecemeal: true };
  const { url } = await startEndless((response, send) => {
    response.writeHead(200);
    send();
  });
  const response = await createServerFetch(limits)(url);
  const end = performance.now() + 2 * limits.timeoutMs;
  let byteLength = 0;
  for await (const chunk of response.body ?? []) {
    byteLength += chunk.length;
    if (byteLength > 2 * megabyte && performance.now() > end) break;
  }
  expect(byteLength).toBeGreaterThan(2 * megabyte);
  const silent = await startEndless(() => {});
  const late = createServerFetch(limits)(silent.url);
  await expect(late).rejects.toMatchObject({ name: "TimeoutError" });
  const failing = await startEndless((response, send) => {
    response.writeHead(500);
    send();
  });
  const patient = { ...limits, timeoutMs: 60_000 };
  const failed = await createServerFetch(patient)(failing.url);
  await expect(failed.text()).rejects.toThrow("larger than 1 MiB");
});

test("a body that stalls ends at the deadline", async () => {
  const { url } = await startEndless((response) => response.write("{"));
  const limits = { maxBytes: megabyte, timeoutMs: 200 };
  const response = createServerFetch(limits)(url).then((each) => each.text());
  await expect(response).rejects.toMatchObject({ name: "TimeoutError" });
});

test("a response can have any status and any text beside it", async () => {
  const { url } = await startEndless((response) => {
    const head = "HTTP/1.1 999 \u6ca1\u6709\r\ncontent-length: 2\r\n\r\n{}";
    response.socket?.end(head);
  });
  const limits = { maxBytes: megabyte, timeoutMs: 60_000 };
  const response = await createServerFetch(limits)(url);
  const { ok, status } = response;
  expect({ ok, status }).toEqual({ ok: false, status: 999 });
  expect(await response.text()).toBe("{}");
});

test("credentials do not follow redirects", async () => {
  const other = createServer();
  const called = once(other, "request").then(() => "called");
  const { url: target } = await listenForTest(other);
  const { url } = await startEndless((response) => {
    response.writeHead(307, { location: target });
    response.end();
  });
  const limits = { maxBytes: megabyte, timeoutMs: 60_000 };
  const headers = { "x-key": "secret" };
  const response = await createServerFetch(limits)(url, { headers });
  expect(response.status).toBe(307);
  expect(await Promise.race([called, Promise.resolve("not called")])).toBe(
    "not called",
  );
});

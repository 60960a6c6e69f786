import { afterEach, expect, test, vi } from "vitest";
import type { CallRequest } from "../../apps/explorer/calls/request.js";
import {
  maxBytes,
  sendCall,
  timeoutMs,
  type CallOutcome,
} from "../../apps/explorer/calls/send.js";

const request: CallRequest = {
  verb: "POST",
  url: "http://api.example.com/rpc/A/B",
  headers: [],
  credentials: [],
  message: { kind: "object", entries: [] },
  texts: null,
  files: [],
  problems: [],
};

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Tells the server to stop sending. */
let connection: AbortSignal | null = null;
/** The headers of the last request. */
let received: Headers | null = null;

/** Sends a call to a server that sends these pieces and then ends or hangs. */
function send(
  pieces: Iterable<string>,
  ends: boolean,
  onLine: ((line: string) => void) | null = null,
  init: ResponseInit = {},
): Promise<CallOutcome> {
  vi.stubGlobal("fetch", async ({ headers, signal }: Request) => {
    connection = signal;
    received = headers;
    const rest = pieces[Symbol.iterator]();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
      async pull(controller) {
        const { done, value } = rest.next();
        if (!done) controller.enqueue(new TextEncoder().encode(value));
        else if (ends) controller.close();
        else await new Promise(() => {});
      },
    });
    return new Response(body, init);
  });
  const { signal } = new AbortController();
  return sendCall(request, { signal, origin: "http://page", onLine });
}

function* endless(piece: string): Generator<string> {
  for (;;) yield piece;
}

const piece = "x".repeat(1024 * 1024);

test.each([
  ["a response", null],
  ["a stream with an endless line", () => {}],
])("stops reading %s that never ends", async (_, onLine) => {
  const outcome = await send(endless(piece), false, onLine);
  expect(outcome).toMatchObject({ kind: "failed", reason: "large" });
});

test("stops reading an error that never ends", async () => {
  let count = 0;
  function* pieces(): Generator<string> {
    for (const each of endless(piece)) {
      count += 1;
      yield each;
    }
  }
  const outcome = await send(pieces(), false, null, { status: 500 });
  const large = { kind: "failed", reason: "large", detail: "500" };
  expect(outcome).toMatchObject(large);
  expect(count * piece.length).toBeLessThan(1.2 * maxBytes);
});

test("stops reading a stream that never ends", async () => {
  let length = 0;
  const count = (line: string): void => void (length += line.length);
  const outcome = await send(endless(`{"text":"${piece}"}\n`), false, count);
  expect(outcome).toMatchObject({ kind: "failed", reason: "large" });
  expect(length).toBeLessThanOrEqual(maxBytes);
});

test.each([
  ["a response", null],
  ["a stream", () => {}],
])("keeps the many small pieces of %s as one", async (_, onLine) => {
  const counts: number[] = [];
  class CountingBlob extends Blob {
    constructor(parts: BlobPart[], options: BlobPropertyBag) {
      super(parts, options);
      counts.push(parts.length);
    }
  }
  vi.stubGlobal("Blob", CountingBlob);
  const sent = Array.from({ length: 5000 }, () => "{}\n");
  const outcome = await send(sent, true, onLine);
  expect(outcome.kind === "answer" && (await outcome.body.text())).toBe(
    sent.join(""),
  );
  expect(counts).toEqual([1]);
});

test("stops waiting for a response that is not complete in time", async () => {
  vi.useFakeTimers();
  const outcome = send(["{"], false);
  await vi.advanceTimersByTimeAsync(timeoutMs);
  expect(await outcome).toMatchObject({ kind: "failed", reason: "slow" });
});

test("a stream that has begun can be silent", async () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  void send(['{"n":1}\n', "\n"], false, (line) => lines.push(line));
  await vi.advanceTimersByTimeAsync(2 * timeoutMs);
  expect(lines).toEqual(['{"n":1}']);
  expect(vi.getTimerCount()).toBe(0);
});

test("returns all of a response, and leaves no timer", async () => {
  vi.useFakeTimers();
  const outcome = await send(['{"a":', '"é"}'], true);
  expect(outcome.kind === "answer" && (await outcome.body.text())).toBe(
    '{"a":"é"}',
  );
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  [
    { error: "A", code: 7, msg: "no", cause: "because" },
    { name: "A", code: 7, msg: "no", cause: "because", status: 500 },
  ],
  [
    { error: "A", code: "x", msg: 4, cause: { a: 1 }, status: 200 },
    { name: "A", code: 0, msg: "A", status: 500 },
  ],
  [
    { name: "Old", message: "no" },
    { name: "Old", msg: "no" },
  ],
  [{ error: null, msg: "no" }, null],
  [{ error: 5 }, null],
  [
    { error: "A", msg: { toString: 1 } },
    { name: "A", code: 0, msg: "A" },
  ],
  ["text", null],
  [null, null],
])("reads the envelope %j as the client does", async (envelope, error) => {
  const text = JSON.stringify(envelope);
  const outcome = await send([text], true, null, { status: 500 });
  if (outcome.kind === "failed") return expect.unreachable(outcome.detail);
  if (error === null) expect(outcome.error).toBeNull();
  else expect(outcome.error).toMatchObject(error);
  expect(typeof (outcome.error?.cause ?? "")).toBe("string");
  expect(await outcome.body.text()).toBe(text);
});

const failed = { error: "Gone", code: 7, msg: "no", status: 404 };

test.each([
  ['{"n":1}\n{"n":2}\n', 2, null],
  ['{"n":1}\n{"n":2}', 2, null],
  ['{"n":1}\n{"n":', 2, "WebrpcStreamLost"],
  ['{"n":1}\n[]\n{"n":2}\n', 1, null],
  ['{"n":1}\n[1]\n{"n":2}\n', 2, "WebrpcBadResponse"],
  [`[${JSON.stringify(failed)}]\n`, 1, "Gone"],
  ['null\n{"n":2}\n', 1, "WebrpcBadResponse"],
  ['{"webrpcError":{"error":null}}\n', 1, "WebrpcBadResponse"],
  [`${JSON.stringify({ webrpcError: failed })}\n{"n":2}\n`, 1, "Gone"],
])("reads the stream %j as the client does", async (text, count, name) => {
  const lines: string[] = [];
  const add = (line: string): void => void lines.push(line);
  const outcome = await send([text], true, add);
  if (outcome.kind === "failed") return expect.unreachable(outcome.detail);
  expect(outcome.error?.name ?? null).toBe(name);
  expect(lines).toHaveLength(count);
  expect(await outcome.body.text()).toBe(`${lines.join("\n")}\n`);
});

test("closes the connection after the error that ends a stream", async () => {
  const line = `${JSON.stringify({ webrpcError: failed })}\n`;
  const outcome = await send(endless(line), false, () => {});
  expect(outcome).toMatchObject({ error: { name: "Gone" } });
  expect(connection?.aborted).toBe(true);
});

test("a response of another type is not a stream", async () => {
  const lines: string[] = [];
  const add = (line: string): void => void lines.push(line);
  const headers = { "content-type": "text/html" };
  const outcome = await send(["<p>\n</p>"], true, add, { headers });
  expect(outcome).toMatchObject({ kind: "answer", error: null });
  expect(lines).toEqual([]);
});

test("a request that the browser rejects leaves no timer", async () => {
  vi.useFakeTimers();
  const { signal } = new AbortController();
  const outcome = await sendCall(
    { ...request, url: "http://a b" },
    { signal, origin: "http://page", onLine: null },
  );
  expect(outcome).toMatchObject({ kind: "failed", reason: "invalid" });
  expect(vi.getTimerCount()).toBe(0);
});

test("shows the data of events, and the error that ends them", async () => {
  const lines: string[] = [];
  const sent = [
    ':\n\ndata: "a"\n\nevent: b\ndata:{"c":1}\r\n\r\n',
    'event: error\nstatus: 503\ndata: {"error":"Odd","status":503}\n\n',
  ];
  const add = (line: string): void => void lines.push(line);
  const headers = { "content-type": "text/event-stream" };
  const outcome = await send(sent, true, add, { headers });
  expect(lines.slice(0, 2)).toEqual(['"a"', '{"c":1}']);
  expect(outcome).toMatchObject({ kind: "answer", error: { name: "Odd" } });
});

const lines = "application/x-ndjson;end=1";
const events = "text/event-stream";

test.each([
  [lines, '{"n":1}\n[]\n', 1, null],
  [lines, '{"n":1}\n', 1, "WebrpcStreamLost"],
  [lines, '{"webrpcError":{"error":"Odd"}}\n[]\n', 1, null],
  [events, 'data: {"n":1}\n\n', 1, null],
  [events, 'data: {"n":', 1, "WebrpcStreamLost"],
  [events, 'data: [DONE]\n\ndata: {"n":2}\n\n', 0, null],
  [events, 'event:error\ndata:{"error":"Odd"}\n\n', 1, "Odd"],
  [events, 'data: {"error":"Odd"}\nevent: error\n\n', 1, "Odd"],
  [events, 'event: error\ndata: {"detail":1}\n\n', 1, "WebrpcBadResponse"],
  [events, "event: error\ndata: failed\n\n", 1, "WebrpcBadResponse"],
  [`${events};end=1`, 'data: {"n":1}\n\nevent: end\n\n', 1, null],
  [`${events};end=1`, 'data: {"n":1}\n\n', 1, "WebrpcStreamLost"],
])("reads %s: %j", async (type, text, count, name) => {
  const shown: string[] = [];
  const add = (line: string): void => void shown.push(line);
  const headers = { "content-type": type };
  const outcome = await send([text], true, add, { headers });
  if (outcome.kind === "failed") return expect.unreachable(outcome.detail);
  expect(outcome.error?.name ?? null).toBe(name);
  expect(shown).toHaveLength(count);
});

test.each([
  [null, null],
  [() => {}, "text/event-stream, */*, */*;end=1"],
])("asks for the end of a stream", async (onLine, accept) => {
  await send(["{}"], true, onLine);
  expect(received?.get("accept") ?? null).toBe(accept);
});

import { afterEach, expect, test, vi } from "vitest";
import type { CallRequest } from "../../explorer/calls/request.js";
import {
  maxBytes,
  sendCall,
  timeoutMs,
  type CallOutcome,
} from "../../explorer/calls/send.js";

const request: CallRequest = {
  verb: "POST",
  url: "http://api.example.com/rpc/A/B",
  headers: [],
  credentials: [],
  message: { kind: "object", entries: [] },
  files: null,
  problems: [],
};

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Sends a call to a server that sends these pieces and then ends or hangs. */
function send(
  pieces: Iterable<string>,
  ends: boolean,
  onLine: ((line: string) => void) | null = null,
): Promise<CallOutcome> {
  vi.stubGlobal("fetch", async ({ signal }: Request) => {
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
    return new Response(body);
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

test("stops reading a stream that never ends", async () => {
  let length = 0;
  const count = (line: string): void => void (length += line.length);
  const outcome = await send(endless(`${piece}\n`), false, count);
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
  const sent = Array.from({ length: 5000 }, () => "1\n");
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

import { afterEach, describe, expect, it, vi } from "vitest";
import {
  openStream,
  type StreamMethod,
  type StreamOptions,
} from "../../../runtime/typescript/client/stream.js";
import { stream } from "../../../runtime/typescript/codegen/create-streams.js";

interface After {
  readonly after?: number;
}
interface Tick {
  readonly n: number;
}

const watch: StreamMethod<After, Tick, never> = stream("/watch");

/**
 * How the server answers a request: which lines it sends, and how the response
 * ends.
 */
type Turn =
  | { readonly lines: string; readonly then: "end" | "break" }
  | { readonly status: number; readonly headers?: Record<string, string> }
  | "refuse";

const utf8 = new TextEncoder();

/**
 * Creates a `fetch` that handles each request as the next turn describes, and a
 * list of the request bodies that it received.
 */
function taking(turns: readonly Turn[]) {
  const sent: string[] = [];
  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    const turn = turns[sent.length] ?? expect.unreachable("no more turns");
    sent.push(String(init.body));
    if (turn === "refuse") throw new TypeError("connection refused");
    if ("status" in turn) return new Response("busy", turn);
    let isSent = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (!isSent) controller.enqueue(utf8.encode(turn.lines));
        else if (turn.then === "end") controller.close();
        else controller.error(new TypeError("terminated"));
        isSent = true;
      },
    });
    return new Response(body);
  };
  return { sent, options: { baseUrl: "http://host", fetch } };
}

async function numbersOf(
  turns: readonly Turn[],
  call: StreamOptions<After, Tick>,
): Promise<{ numbers: number[]; sent: string[]; error: unknown }> {
  const { options, sent } = taking(turns);
  const numbers: number[] = [];
  try {
    for await (const { n } of openStream(options, watch, { after: 0 }, call)) {
      numbers.push(n);
    }
  } catch (error) {
    return { numbers, sent, error };
  }
  return { numbers, sent, error: null };
}

function lines(...numbers: number[]): string {
  return `\n${numbers.map((n) => `{"n":${n}}\n`).join("")}`;
}

/**
 * Short delays. The maximum is high, because a connection that outlasts it
 * counts as successful.
 */
const soon = { minDelayMs: 1, maxDelayMs: 10_000 };

afterEach(() => {
  // The order matters, because fake timers restore the functions that they
  // replaced.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("a stream that reconnects", () => {
  it("continues after its last item until the server ends it", async () => {
    const resume = vi.fn((_request: After, last: Tick | undefined): After => ({
      after: last?.n ?? 0,
    }));
    const result = await numbersOf(
      [
        "refuse",
        { lines: lines(1, 2), then: "break" },
        { status: 503 },
        { lines: lines(3), then: "break" },
        { lines: lines(4), then: "end" },
      ],
      { reconnect: { ...soon, resume } },
    );
    expect(result).toEqual({
      numbers: [1, 2, 3, 4],
      error: null,
      sent: [0, 0, 2, 2, 3].map((after) => JSON.stringify({ after })),
    });
    expect(resume).toHaveBeenCalledWith({ after: 0 }, undefined);
  });

  it("continues after the server reports the stream as lost", async () => {
    const envelope = {
      error: "WebrpcStreamLost",
      code: -9,
      msg: "stream lost",
    };
    const end = JSON.stringify({ webrpcError: { ...envelope, status: 400 } });
    const { error, numbers } = await numbersOf(
      [
        { lines: `${lines(1)}${end}\n`, then: "end" },
        { lines: lines(2), then: "end" },
      ],
      { reconnect: soon },
    );
    expect([error, numbers]).toEqual([null, [1, 2]]);
  });

  it("does not reconnect if the platform lacks a global", async () => {
    const fetch = vi.fn(() =>
      Promise.reject(new ReferenceError("Response is not defined")),
    );
    const options = { baseUrl: "http://host", fetch };
    const items = openStream(options, watch, {}, { reconnect: soon });
    const read = async () => {
      for await (const _ of items) break;
    };
    await expect(read()).rejects.toMatchObject({
      reason: "network",
    });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it("sends the same request by default", async () => {
    const { sent } = await numbersOf(
      [
        { lines: lines(1), then: "break" },
        { lines: lines(1), then: "end" },
      ],
      { reconnect: soon },
    );
    expect(sent).toEqual(['{"after":0}', '{"after":0}']);
  });

  it("throws the last error after too many consecutive failures", async () => {
    const reconnect = { ...soon, attempts: 2 };
    const lost: Turn = { lines: "\n", then: "break" };
    const item: Turn = { lines: lines(1), then: "break" };
    const { error, numbers, sent } = await numbersOf(
      [lost, lost, item, lost, lost],
      { reconnect },
    );
    expect([numbers, sent.length]).toEqual([[1], 5]);
    expect(error).toMatchObject({ reason: "stream-lost" });
    const none = await numbersOf([lost], {
      reconnect: { ...soon, attempts: 0 },
    });
    expect(none.sent).toHaveLength(1);
  });

  it("counts only failures in a row, unless a connection lasts", async () => {
    const sentAfter = async (turn: Turn): Promise<number> => {
      const end: Turn = { lines: "\n", then: "end" };
      // Every attempt takes longer than this.
      const reconnect = { minDelayMs: 1, maxDelayMs: 0, attempts: 1 };
      const turns = [turn, turn, turn, end];
      return (await numbersOf(turns, { reconnect })).sent.length;
    };
    expect(await sentAfter({ lines: "\n", then: "break" })).toBe(4);
    expect(await sentAfter("refuse")).toBe(2);
    expect(await sentAfter({ status: 504 })).toBe(2);
  });

  it.each<[string, Turn, object]>([
    [
      "an error that the contract declares",
      {
        lines: '\n{"webrpcError":{"error":"Gone","code":1,"status":410}}\n',
        then: "end",
      },
      { name: "Gone" },
    ],
    [
      "a line that violates the protocol",
      { lines: "\n<html>\n", then: "end" },
      { reason: "bad-response" },
    ],
    ["a 401 response", { status: 401 }, { status: 401 }],
  ])("does not retry after %s", async (_, turn, expected) => {
    const { error, sent } = await numbersOf([turn], { reconnect: soon });
    expect(error).toMatchObject(expected);
    expect(sent).toHaveLength(1);
  });

  it("doubles its delay each time up to the maximum, with random variation", async () => {
    vi.useFakeTimers();
    const delays: number[] = [];
    const { setTimeout } = globalThis;
    vi.spyOn(globalThis, "setTimeout").mockImplementation(
      (...[run, ms]: Parameters<typeof setTimeout>) => {
        // The other timers enforce limits.
        if (ms !== undefined && ms < 10_000) delays.push(ms);
        return setTimeout(run, ms);
      },
    );
    const turns = Array.from({ length: 7 }, (): Turn => "refuse");
    const reconnect = { attempts: 6, minDelayMs: 100, maxDelayMs: 1000 };
    const run = numbersOf(turns, { reconnect });
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await run).sent).toHaveLength(7);
    const upper = [100, 200, 400, 800, 1000, 1000];
    expect(delays).toHaveLength(upper.length);
    delays.forEach((delay, index) => {
      expect(delay).toBeLessThanOrEqual(upper[index] ?? 0);
      expect(delay).toBeGreaterThanOrEqual((upper[index] ?? 0) / 2);
    });
    expect(new Set(delays).size).toBe(delays.length);
  });

  it("can be closed while it waits", async () => {
    const signal = AbortSignal.timeout(20);
    const reconnect = { minDelayMs: 600_000, maxDelayMs: 600_000 };
    const { error } = await numbersOf(["refuse"], { reconnect, signal });
    expect(error).toMatchObject({ reason: "aborted" });
  });

  it.each([
    ["waits for the time that the `Retry-After` header specifies", "1", 1000],
    ["uses its own delay if `Retry-After` is 0", "0", 60_000],
  ])("%s", async (_, retryAfter, longestMs) => {
    vi.useFakeTimers();
    const headers = { "retry-after": retryAfter };
    const turns: Turn[] = [
      { status: 503, headers },
      { lines: '{"n":1}\n', then: "end" },
    ];
    const start = performance.now();
    const reconnect = { minDelayMs: 60_000, maxDelayMs: 60_000 };
    const run = numbersOf(turns, { reconnect }).then(({ numbers }) => ({
      numbers,
      waitedMs: performance.now() - start,
    }));
    await vi.advanceTimersByTimeAsync(60_000);
    const { numbers, waitedMs } = await run;
    expect(numbers).toEqual([1]);
    expect(waitedMs).toBeLessThanOrEqual(longestMs);
    expect(waitedMs).toBeGreaterThanOrEqual(longestMs / 2);
  });
});

it("a stream does not reconnect by default", async () => {
  const { error, sent } = await numbersOf([{ lines: "\n", then: "break" }], {});
  expect(error).toMatchObject({ reason: "stream-lost" });
  expect(sent).toHaveLength(1);
});

import {
  afterEach,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from "vitest";
import { nextPiece } from "../../../runtime/typescript/server/responses/taking.js";
import { InvalidResponseError } from "../../../runtime/typescript/server/responses/response-message.js";
import { WebrpcClientDisconnectedError } from "../../../runtime/typescript/wire/errors.js";
import {
  composeServers,
  type Outcome,
  type RpcServer,
  type ServerOptions,
  type ServerRequest,
  type ServerResponse,
} from "../../../runtime/typescript/server/server.js";
import {
  countTo,
  createClock,
  geoblocked,
  sleep,
  until,
  type Watch,
} from "./stream-server.js";
import { countTurns } from "./count-turns.js";

interface Asked {
  readonly answer: ServerResponse;
  /** Closes the connection from the server's point of view. */
  readonly disconnect: () => void;
}

async function ask(
  server: RpcServer,
  headers: Readonly<Record<string, string>> = {},
  isLocal = false,
): Promise<Asked> {
  const controller = new AbortController();
  const all: Readonly<Record<string, string>> = {
    "content-type": "application/json",
    ...headers,
  };
  const request: ServerRequest = {
    method: "POST",
    target: "/rpc/Clock/Watch",
    header: (name) => all[name.toLowerCase()] ?? null,
    text: async () => "{}",
    chunks: () => new ReadableStream(),
    signal: () => controller.signal,
    isLocal,
  };
  const answer = await server.handle(request);
  return { answer, disconnect: () => controller.abort() };
}

/** Waits for the next piece of a response. */
function nextOf({ stream }: ServerResponse) {
  return stream === undefined ? undefined : nextPiece(stream);
}

/** As `nextOf`, but asks again at once, as on Node. */
function nextAtOnceOf({ stream }: ServerResponse) {
  return new Promise((resolve, reject) => {
    const ask = (): void => {
      try {
        const piece = stream?.take(ask);
        if (piece !== undefined) resolve(piece);
      } catch (error) {
        reject(error);
      }
    };
    ask();
  });
}

/** Reads all pieces of a response in order. */
async function drain({ stream }: ServerResponse): Promise<string> {
  if (stream === undefined)
    return expect.unreachable("the response is not a stream");
  let text = "";
  for (;;) {
    const piece = await nextPiece(stream);
    if (piece === null) return text;
    text += String(piece);
  }
}

async function textOf(
  watch: Watch,
  options?: ServerOptions,
): Promise<[number, string]> {
  const { answer } = await ask(createClock(watch, options));
  const { body, status } = answer;
  return [status, body === "" ? await drain(answer) : body];
}

const wrong: Watch = async function* () {
  yield { n: 1 };
  yield { n: -1 };
  yield { n: 2 };
};

describe("an invalid item", () => {
  it("ends the stream with WebrpcBadResponse, and closes the generator", async () => {
    const onError = vi.fn();
    let isLeft = false;
    const watch: Watch = async function* (...args) {
      try {
        yield* wrong(...args) as AsyncGenerator;
      } finally {
        isLeft = true;
      }
    };
    const [, text] = await textOf(watch, { onError });
    expect(text).toBe(
      '\n{"n":1}\n{"webrpcError":{"error":"WebrpcBadResponse","code":-5,"msg":"bad response","status":500}}\n',
    );
    await until(() => isLeft);
    expect(onError.mock.calls).toEqual([
      [
        expect.any(InvalidResponseError),
        expect.objectContaining({ method: "Watch" }),
      ],
    ]);
  });

  it("is logged and sent with `log`, and only sent with `off`", async () => {
    const onError = vi.fn();
    const whole = '\n{"n":1}\n{"n":-1}\n{"n":2}\n';
    const log = { onError, validateResponses: "log" } as const;
    expect(await textOf(wrong, log)).toEqual([200, whole]);
    expect(onError).toHaveBeenCalledTimes(1);
    const off = { onError, validateResponses: "off" } as const;
    expect(await textOf(wrong, off)).toEqual([200, whole]);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it("is reported as an ordinary error response if it is the first item", async () => {
    const [status, text] = await textOf(async function* () {
      yield { n: "one" };
    });
    expect(status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ error: "WebrpcBadResponse" });
  });
});

describe("the result of a handler", () => {
  it.each<[string, Watch]>([
    ["nothing", () => undefined],
    ["an object", () => ({ n: 1 })],
    ["a list", () => [{ n: 1 }]],
    ["text", () => "text"],
  ])("is rejected if it is %s", async (_, watch) => {
    const onError = vi.fn();
    const [status, text] = await textOf(watch, { onError });
    expect(status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ error: "WebrpcBadResponse" });
    expect(String(onError.mock.calls[0]?.[0])).toContain(
      "not an async iterable",
    );
  });

  it("may be any async iterable, immediately or later", async () => {
    let n = 0;
    const iterable: AsyncIterable<object> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: (n += 1) > 2, value: { n } }),
      }),
    };
    const expected = [200, '\n{"n":1}\n{"n":2}\n'];
    expect(await textOf(() => iterable)).toEqual(expected);
    n = 0;
    expect(await textOf(async () => iterable)).toEqual(expected);
    n = 0;
    // The end of an iterator is any truthy value.
    const odd: AsyncIterator<object> = {
      next: async () =>
        (n += 1) > 2 ? JSON.parse('{"done":1}') : { value: { n } },
    };
    expect(await textOf(() => ({ [Symbol.asyncIterator]: () => odd }))).toEqual(
      expected,
    );
    const readable = new ReadableStream({
      start(controller) {
        controller.enqueue({ n: 1 });
        controller.close();
      },
    });
    expect(await textOf(() => readable)).toEqual([200, '\n{"n":1}\n']);
  });

  it("becomes an error, as in any other method, if the handler throws", async () => {
    const watch: Watch = () => {
      throw geoblocked();
    };
    expect((await textOf(watch))[0]).toBe(451);
    const secret: Watch = async function* () {
      yield { n: 1 };
      throw new Error("postgres://user:password@db");
    };
    const [, text] = await textOf(secret);
    expect(text).toContain("WebrpcInternalError");
    expect(text).not.toContain("postgres");
  });

  it("passes through interceptors as a single response", async () => {
    const seen: unknown[] = [];
    const [, text] = await textOf(countTo(1), {
      interceptors: [
        (next) => async (call) => {
          const items = (await next(call)) as AsyncIterable<unknown>;
          return (async function* () {
            for await (const item of items) {
              seen.push(item);
              yield { n: 7 };
            }
          })();
        },
      ],
    });
    expect([text, seen]).toEqual(['\n{"n":7}\n', [{ n: 1 }]]);
  });
});

describe("the time limit", () => {
  it("applies to the start of a stream rather than its duration", async () => {
    const seen: number[] = [];
    const watch: Watch = async function* (_, { remainingMs }) {
      seen.push(remainingMs());
      yield { n: 1 };
      await sleep(600);
      yield { n: 2 };
    };
    const server = createClock(watch);
    const { answer } = await ask(server, { "request-timeout-ms": "500" });
    expect(await drain(answer)).toBe('\n{"n":1}\n{"n":2}\n');
    expect(seen[0]).toBeLessThanOrEqual(500);
  });

  it("causes a 504 and closes the generator if it expires before the start", async () => {
    const seen: string[] = [];
    const watch: Watch = async function* (_, { signal }) {
      signal.addEventListener("abort", () => seen.push("aborted"));
      try {
        await sleep(60);
        yield { n: 1 };
      } finally {
        seen.push("left");
      }
    };
    const { answer } = await ask(createClock(watch, { timeoutMs: 20 }));
    expect([answer.status, answer.stream]).toEqual([504, undefined]);
    await until(() => seen.includes("left"));
    expect(seen).toEqual(["aborted", "left"]);
  });

  it("does not apply to the context after a stream has started", async () => {
    const remaining: number[] = [];
    const watch: Watch = async function* (_, context) {
      yield { n: 1 };
      remaining.push(context.remainingMs());
    };
    await textOf(watch, { timeoutMs: 1000 });
    expect(remaining).toEqual([Infinity]);
  });

  it("leaves no timer behind", async () => {
    // Counts only the timers of this test, because tests share a process.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let watch = countTo(3);
    const server = createClock((...args) => watch(...args));
    await drain((await ask(server)).answer);
    // All calls share a timer for their time limits, and one for their pace.
    const before = vi.getTimerCount();
    expect(before).toBeLessThanOrEqual(2);
    watch = endlessItems;
    const { answer } = await ask(server);
    await nextOf(answer);
    const waiting = nextOf(answer);
    await expect.poll(() => vi.getTimerCount()).toBe(before + 1);
    answer.stream?.cancel();
    expect(await waiting).toBeNull();
    expect(vi.getTimerCount()).toBe(before);
  });

  it("does not affect keep-alive lines, which follow the method's options", async () => {
    const slow: Watch = async function* () {
      // Sleep in steps so that another timer also runs after a stall.
      for (let step = 0; step < 8; step += 1) await sleep(20);
      yield { n: 1 };
    };
    const methods = { "Clock/Watch": { keepAliveMs: 10 } };
    const [, text] = await textOf(slow, { keepAliveMs: 60_000, methods });
    expect(text).toMatch(/^\n{2,}\{"n":1\}\n$/u);
    const lasting = { keepAliveMs: Infinity };
    expect((await textOf(slow, lasting))[1]).toBe('\n{"n":1}\n');
  });
});

async function* endlessItems(): AsyncGenerator<object> {
  yield { n: 1 };
  await new Promise(() => {});
}

describe("the end of a stream", () => {
  it("follows the client's disconnection, whichever part notices it first", async () => {
    for (const leave of ["cancel", "disconnect"] as const) {
      const onLeave = vi.fn();
      const reasons: unknown[] = [];
      const watch: Watch = async function* (request, context) {
        const { signal } = context;
        signal.addEventListener("abort", () => reasons.push(signal.reason));
        const items = countTo(5, onLeave)(request, context) as AsyncGenerator;
        for await (const item of items) {
          yield item;
          await sleep(0);
        }
      };
      const { answer, disconnect } = await ask(createClock(watch));
      await nextOf(answer);
      if (leave === "cancel") answer.stream?.cancel();
      else disconnect();
      await until(() => onLeave.mock.calls.length === 1);
      expect(reasons).toHaveLength(1);
      if (leave === "cancel") {
        expect(reasons[0]).toBeInstanceOf(WebrpcClientDisconnectedError);
      }
      expect(await nextOf(answer)).toBeNull();
      answer.stream?.cancel();
      expect(onLeave).toHaveBeenCalledTimes(1);
    }
  });

  it("ignores a generator that fails while it is being closed", async () => {
    const watch: Watch = async function* () {
      try {
        yield { n: 1 };
        yield { n: 2 };
      } finally {
        await Promise.reject(new Error("while leaving"));
      }
    };
    const { answer } = await ask(createClock(watch));
    answer.stream?.cancel();
    await sleep(5);
    expect(await nextOf(answer)).toBeNull();
  });

  it("is reported to observers with the total length of all lines", async () => {
    const outcomes: Outcome[] = [];
    const observe = () => (outcome: Outcome) => void outcomes.push(outcome);
    const server = createClock(
      async function* () {
        yield { n: 1, text: "é" };
        await sleep(30);
      },
      { observe },
    );
    const { answer } = await ask(server);
    expect(outcomes).toEqual([]);
    const text = await drain(answer);
    expect(outcomes).toMatchObject([
      { status: 200, error: null, responseBytes: Buffer.byteLength(text) },
    ]);
    expect(outcomes[0]?.durationMs).toBeGreaterThan(25);

    const failing = createClock(
      async function* () {
        yield { n: 1 };
        throw geoblocked();
      },
      { observe },
    );
    await drain((await ask(failing)).answer);
    expect(outcomes[1]).toMatchObject({ status: 200, error: "Geoblocked" });

    const left = await ask(createClock(countTo(9), { observe }));
    left.answer.stream?.cancel();
    expect(outcomes[2]).toMatchObject({ error: "WebrpcClientDisconnected" });
    expect(outcomes).toHaveLength(3);
  });

  it("releases the stream's slot", async () => {
    const server = createClock(countTo(2), { maxConcurrent: 1 });
    const { answer } = await ask(server);
    const busy = await ask(server);
    expect(busy.answer.status).toBe(503);
    expect(await drain(answer)).toContain('{"n":2}');
    const again = await ask(server);
    expect(again.answer.status).toBe(200);
    again.answer.stream?.cancel();
    const refused = createClock(() => 7, { maxConcurrent: 1 });
    for (let i = 0; i < 3; i += 1) {
      expect((await ask(refused)).answer.status).toBe(500);
    }
    expect(await drain((await ask(server)).answer)).toContain('{"n":2}');
  });
});

it("works with CORS and composed servers", async () => {
  const cors = { origins: ["https://app.example.com"] };
  const server = composeServers(createClock(countTo(1), { cors }));
  const { answer } = await ask(server, { origin: "https://app.example.com" });
  expect(answer.headers).toMatchObject({
    "access-control-allow-origin": "https://app.example.com",
    "content-type": "application/x-ndjson",
  });
  expect(await drain(answer)).toBe('\n{"n":1}\n');
});

describe("items that need no waiting", () => {
  // A busy machine would end pieces early.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  /** A generator around another one, as of an interceptor. */
  async function* around(items: unknown): AsyncGenerator {
    for await (const item of items as AsyncGenerator) yield item;
  }

  it("are sent together, in the order of the items", async () => {
    const plain = countTo(4);
    const far: Watch = (...call) => around(around(around(plain(...call))));
    for (const next of [nextOf, nextAtOnceOf]) {
      for (const watch of [plain, far]) {
        const { answer } = await ask(createClock(watch));
        expect(await next(answer)).toBe(
          '\n{"n":1}\n{"n":2}\n{"n":3}\n{"n":4}\n',
        );
        expect(await next(answer)).toBeNull();
      }
    }
  });

  it("do not wait for an item that does, which is not lost", async () => {
    let goOn = (): void => {};
    const { answer } = await ask(
      createClock(async function* () {
        yield { n: 1 };
        yield { n: 2 };
        await new Promise<void>((resolve) => (goOn = resolve));
        yield { n: 3 };
      }),
    );
    expect(await nextOf(answer)).toBe('\n{"n":1}\n{"n":2}\n');
    const next = nextOf(answer);
    goOn();
    expect(await next).toBe('{"n":3}\n');
    expect(await nextOf(answer)).toBeNull();
  });

  it("do not wait for an item that takes long to compute", async () => {
    const { answer } = await ask(
      createClock(async function* () {
        for (let n = 1; n <= 3; n += 1) {
          vi.advanceTimersByTime(2);
          yield { n };
        }
      }),
    );
    expect(await nextOf(answer)).toBe('\n{"n":1}\n{"n":2}\n');
    expect(await nextOf(answer)).toBe('{"n":3}\n');
  });

  it("are sent before an error or an invalid item that follows them", async () => {
    const failing: Watch = async function* () {
      yield* [{ n: 1 }, { n: 2 }];
      throw geoblocked();
    };
    const { answer } = await ask(createClock(failing));
    const text = String(await nextOf(answer));
    expect(text).toContain('\n{"n":1}\n{"n":2}\n{"webrpcError":');
    expect(text).toContain("Geoblocked");
    expect(await nextOf(answer)).toBeNull();
  });

  const long: Watch = async function* () {
    for (let n = 0; n < 2_000; n += 1) yield { n, text: "x".repeat(16_384) };
  };
  const slow: Watch = async function* () {
    for (let n = 0; n < 30; n += 1) {
      vi.advanceTimersByTime(2);
      yield { n };
    }
  };
  // Too many generators for an item to need no waiting.
  const deep: Watch = (...call) => {
    let items: unknown = countTo(2_000)(...call);
    for (let depth = 0; depth < 8; depth += 1) items = around(items);
    return items as AsyncGenerator;
  };

  it.each([
    ["many long", long, 1],
    ["slow", slow, 29],
    ["deep", deep, 1],
  ])("let other events in between pieces: %s", async (_, watch, least) => {
    for (const isLocal of [false, true]) {
      const { answer } = await ask(createClock(watch), {}, isLocal);
      const stream = answer.stream ?? expect.unreachable();
      const { pieces, turns } = await countTurns(stream);
      expect(pieces).toBeGreaterThan(10);
      expect(turns).toBeGreaterThanOrEqual(least);
    }
  });

  it("are requested when the client takes the previous ones, up to 16 KiB", async () => {
    let count = 0;
    const { answer } = await ask(
      createClock(async function* () {
        for (;;) yield { n: (count += 1), text: "x".repeat(2000) };
      }),
    );
    await sleep(5);
    expect(count).toBe(1);
    for (let most = 9; most < 100; most += 9) {
      const piece = await nextOf(answer);
      expect(String(piece).length).toBeLessThan(16 * 1024 + 2100);
      await sleep(5);
      expect(count).toBeLessThanOrEqual(most);
    }
    answer.stream?.cancel();
  });
});

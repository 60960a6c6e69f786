import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  connect,
  TransportError,
  type ClientInterceptor,
  type ClientMethod,
  type ClientOptions,
} from "../../../runtime/typescript/client/client.js";
import { rpc } from "../../../runtime/typescript/codegen/create-client.js";
import {
  isRpcError,
  type RpcError,
} from "../../../runtime/typescript/wire/errors.js";
import {
  announceTimeout,
  checkResponses,
  createKey,
  observe,
  refreshCredentials,
  retry,
  type CallOutcome,
} from "../../../runtime/typescript/client/interceptors.js";
import { isRecord } from "../../../runtime/typescript/values/validation.js";
import type { Failure } from "../../../runtime/typescript/values/validation.js";

const read: ClientMethod<{}, {}, RpcError> = rpc("/rpc/A/Read", {
  safety: "readonly",
});
const put: ClientMethod<{}, {}, RpcError> = rpc("/rpc/A/Put", {
  safety: "idempotent",
});
const add: ClientMethod<{}, {}, RpcError> = rpc("/rpc/A/Add");

type Answer = () => Response | Promise<Response>;

const ok: Answer = () => new Response("{}");
const broken: Answer = () => Promise.reject(new TypeError("connection reset"));
const never: Answer = () => new Promise(() => {});

function failed(status: number, headers: HeadersInit = {}): Answer {
  const body = JSON.stringify({ error: "E", code: 7, msg: "no", status });
  return () => new Response(body, { status, headers });
}

/**
 * Creates a `fetch` that returns these responses in turn, and repeats the last
 * one.
 */
function answering(...answers: readonly Answer[]) {
  const sent: RequestInit[] = [];
  const fetch = (_: string, init: RequestInit): Promise<Response> => {
    const answer = answers[Math.min(sent.length, answers.length - 1)] ?? ok;
    sent.push(init);
    return Promise.resolve().then(answer);
  };
  return { fetch, sent };
}

function connectWith(
  { fetch }: Pick<ClientOptions, "fetch">,
  use: readonly ClientInterceptor[],
  options: Partial<ClientOptions> = {},
) {
  const given = fetch === undefined ? {} : { fetch };
  return connect({ baseUrl: "http://host", ...given, use, ...options });
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable("it succeeded"),
    (error: unknown) => error,
  );
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout")
    .length;
}

describe("interceptors", () => {
  it("wrap a call, starting with the first as the outermost", async () => {
    const log: string[] = [];
    const layer =
      (name: string): ClientInterceptor =>
      (next) =>
      async (call) => {
        log.push(`${name} ${call.method.path} ${JSON.stringify(call.request)}`);
        const response = await next(call);
        log.push(`${name} ${JSON.stringify(response)}`);
        return response;
      };
    const connection = connectWith(answering(ok), [layer("a"), layer("b")]);
    expect(await connection.call(read, {})).toEqual({});
    expect(log).toEqual([
      "a /rpc/A/Read {}",
      "b /rpc/A/Read {}",
      "b {}",
      "a {}",
    ]);
  });

  it("may change headers, respond without the server, and throw", async () => {
    const given = answering(ok);
    const trace: ClientInterceptor = (next) => (call) =>
      next({ ...call, headers: [...call.headers, { "X-Trace": "7" }] });
    await connectWith(given, [trace], { headers: { "x-trace": "1" } }).call(
      read,
    );
    expect(given.sent[0]?.headers).toMatchObject({ "x-trace": "7" });
    const cached: ClientInterceptor = () => () => Promise.resolve({ x: 1 });
    expect(await connectWith(given, [cached]).call(read)).toEqual({ x: 1 });
    const boom = new Error("boom");
    const throwing: ClientInterceptor = () => () => Promise.reject(boom);
    await expect(connectWith(given, [throwing]).result(read)).rejects.toBe(
      boom,
    );
    const throwingAtOnce: ClientInterceptor = () => () => {
      throw boom;
    };
    const connection = connectWith(given, [throwingAtOnce]);
    expect(await failureOf(connection.call(read))).toBe(boom);
    expect(given.sent).toHaveLength(1);
  });

  it("share values under typed keys for each call", async () => {
    const key = createKey<number>("count");
    const seen: (number | undefined)[] = [];
    const writer: ClientInterceptor = (next) => (call) => {
      seen.push(key.read(call.context));
      key.write(call.context, (key.read(call.context) ?? 0) + 1);
      return next(call);
    };
    const reader: ClientInterceptor = (next) => (call) => {
      seen.push(key.read(call.context));
      return next({ ...call });
    };
    const connection = connectWith(answering(ok), [writer, reader]);
    await connection.call(read);
    await connection.call(read);
    expect(seen).toEqual([undefined, 1, undefined, 1]);
    const context = {};
    key.write(context, 41);
    await connection.call(read, {}, { context });
    expect(key.read(context)).toBe(42);
  });

  it("end with the call, on an abort or a timeout", async () => {
    let given: AbortSignal | null = null;
    const hanging: ClientInterceptor = () => (call) => {
      given = call.signal;
      return new Promise(() => {});
    };
    const connection = connectWith(answering(ok), [hanging]);
    const error = await failureOf(connection.call(read, {}, { timeoutMs: 5 }));
    expect(error).toMatchObject({ reason: "timeout" });
    expect(given).toMatchObject({ aborted: true, reason: error });
    await expect(
      connection.call(read, {}, { signal: AbortSignal.abort("no") }),
    ).rejects.toMatchObject({ reason: "aborted", cause: "no" });
  });
});

describe("a call", () => {
  it("is not sent if time runs out before credentials are available", async () => {
    const given = answering(ok);
    let give = (_: string): void => {};
    const secret = new Promise<string>((resolve) => (give = resolve));
    const method: ClientMethod<{}, {}, RpcError> = rpc("/rpc/A/Read", {
      credentials: [["secret", "authorization", "Bearer "]],
    });
    const options = { credentials: { secret: () => secret }, timeoutMs: 5 };
    const error = await failureOf(connectWith(given, [], options).call(method));
    expect(error).toMatchObject({ reason: "timeout" });
    give("late");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(given.sent).toHaveLength(0);
  });
});

describe("retry", () => {
  const soon = { backoffMs: 1 };

  it.each([
    ["a broken connection", broken],
    ["429", failed(429)],
    ["502", failed(502)],
    ["503", failed(503)],
    ["504", failed(504)],
    ["a 503 from a proxy", () => new Response("<html>", { status: 503 })],
  ])("retries after %s", async (_, answer) => {
    for (const method of [read, put]) {
      const given = answering(answer, answer, ok);
      const connection = connectWith(given, [retry(soon)]);
      expect(await connection.call(method)).toEqual({});
      expect(given.sent).toHaveLength(3);
    }
  });

  it.each([
    ["an unparsable address", { baseUrl: "not a url" }],
    ["an address without a host", { baseUrl: "http://[" }],
    ["a header with a line break", { headers: () => ({ "x-a": "1" }) }],
  ])("throws immediately for %s", async (name, options) => {
    const credentials = { key: "a\nb" };
    const method: ClientMethod<{}, {}, RpcError> = rpc("/rpc/A/Read", {
      safety: "readonly",
      credentials: name.startsWith("a header") ? [["key", "x-key"]] : [],
    });
    let count = 0;
    const counting: ClientInterceptor = (next) => (call) => {
      count += 1;
      return next(call);
    };
    const use = [retry({ backoffMs: 0 }), counting];
    const connection = connectWith({}, use, { credentials, ...options });
    const error = await connection.call(method, {}).catch((cause) => cause);
    expect(error).toBeInstanceOf(TypeError);
    expect(isRpcError(error)).toBe(false);
    expect(count).toBe(1);
  });

  it("never retries a call that is not marked as safe to repeat", async () => {
    for (const answer of [broken, failed(503)]) {
      const given = answering(answer, ok);
      await failureOf(connectWith(given, [retry(soon)]).call(add));
      expect(given.sent).toHaveLength(1);
    }
  });

  it.each([400, 401, 403, 404, 409, 500, 501])(
    "does not retry after %d",
    async (status) => {
      const given = answering(failed(status), ok);
      const error = await failureOf(
        connectWith(given, [retry(soon)]).call(read),
      );
      expect(error).toMatchObject({ name: "E", code: 7, status });
      expect(given.sent).toHaveLength(1);
    },
  );

  it.each([
    [{}, 3, 504],
    [{ attempts: 2 }, 2, 503],
  ])(
    "with %o, gives up after %d attempts, with the last error",
    async (options, count, status) => {
      const given = answering(failed(502), failed(503), failed(504), ok);
      const use = [retry({ ...soon, ...options })];
      const error = await failureOf(connectWith(given, use).call(read));
      expect(error).toMatchObject({ status });
      expect(given.sent).toHaveLength(count);
    },
  );

  it("accepts a custom rule for temporary failures", async () => {
    const isPassing = (error: unknown): boolean => isRpcError(error, "E");
    const given = answering(failed(418), ok);
    const use = [retry({ ...soon, isPassing })];
    expect(await connectWith(given, use).call(read)).toEqual({});
  });

  it("counts attempts, and requests credentials for each one", async () => {
    const numbers: (number | undefined)[] = [];
    const count: ClientInterceptor = (next) => (call) => {
      numbers.push(call.attempt);
      return next(call);
    };
    const given = answering(broken, broken, ok);
    let token = 0;
    const headers = () => ({ authorization: String((token += 1)) });
    await connectWith(given, [retry(soon), count], { headers }).call(read);
    expect(numbers).toEqual([undefined, 2, 3]);
    expect(given.sent.map(({ headers: each }) => Object(each))).toMatchObject([
      { authorization: "1" },
      { authorization: "2" },
      { authorization: "3" },
    ]);
  });

  it("waits for the time that `Retry-After` specifies", async () => {
    const given = answering(failed(503, { "retry-after": "1" }), ok);
    const start = performance.now();
    await connectWith(given, [retry({ backoffMs: 1 })]).call(read);
    expect(performance.now() - start).toBeGreaterThan(990);
  });

  it.each([
    ["0", 0],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
    ["-1", 1],
    ["1.5", 1],
    ["2026-01-01", 1],
    ["soon", 1],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
    ["Sun Nov  6 08:49:37 1994", 0],
    ["00", 0],
    ["3000000", null],
    ["9999999999", null],
  ])(
    "parses Retry-After %s as RFC 9110 requires",
    async (header, backoffMs) => {
      const given = answering(failed(503, { "retry-after": header }), ok);
      const timers = vi.spyOn(globalThis, "setTimeout");
      const options = { backoffMs: 1, jitter: 0, maxBackoffMs: Infinity };
      const result = await connectWith(given, [retry(options)]).result(read);
      const waits = timers.mock.calls.map(([, ms]) => ms);
      timers.mockRestore();
      expect(result.ok).toBe(backoffMs !== null);
      expect(waits).toEqual(backoffMs === null ? [] : [backoffMs]);
    },
  );

  it("parses asctime dates in UTC, regardless of the machine's time zone", async () => {
    vi.stubEnv("TZ", "America/New_York");
    onTestFinished(() => void vi.unstubAllEnvs());
    const now = new Date().toUTCString();
    const [, day, month, year, time] = now.split(/,? /u);
    const header = `Sun ${month} ${day} ${time} ${year}`;
    const given = answering(failed(503, { "retry-after": header }), ok);
    expect(await connectWith(given, [retry()]).call(read)).toEqual({});
  });

  it("ignores Retry-After in a successful response", async () => {
    const headers = { "retry-after": "3600" };
    const given = answering(() => new Response("no JSON", { headers }), ok);
    const use = [retry({ ...soon, isPassing: () => true })];
    expect(await connectWith(given, use).call(read)).toEqual({});
  });

  it("does not retry if `Retry-After` exceeds its limit", async () => {
    const late = failed(429, { "retry-after": "3600" });
    const given = answering(late, ok);
    await failureOf(connectWith(given, [retry()]).call(read));
    expect(given.sent).toHaveLength(1);
  });

  it("does not start to wait if too little time remains", async () => {
    const given = answering(failed(503, { "retry-after": "20" }), ok);
    const use = [retry({ maxBackoffMs: 60_000 })];
    const connection = connectWith(given, use, { timeoutMs: 15_000 });
    expect(await failureOf(connection.call(read))).toMatchObject({
      status: 503,
    });
  });

  it("applies one timeout to all attempts", async () => {
    const given = answering(broken, never);
    const use = [retry({ ...soon, attempts: 2 })];
    const connection = connectWith(given, use, { timeoutMs: 1500 });
    const error = await failureOf(connection.call(read));
    expect(error).toMatchObject({ reason: "timeout" });
    expect(given.sent).toHaveLength(2);
  });

  it("stops waiting if it is aborted, and leaves no timer", async () => {
    const before = timers();
    const given = answering(broken, ok);
    const controller = new AbortController();
    const connection = connectWith(given, [retry({ backoffMs: 5000 })]);
    const { signal } = controller;
    const failure = failureOf(connection.call(read, {}, { signal }));
    setTimeout(() => controller.abort("left"), 10);
    expect(await failure).toMatchObject({ reason: "aborted", cause: "left" });
    expect(given.sent).toHaveLength(1);
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it("randomizes delays above a lower bound", async () => {
    const waits: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      const start = performance.now();
      const use = [retry({ backoffMs: 40, jitter: 0.5 })];
      await connectWith(answering(broken, ok), use).call(read);
      waits.push(performance.now() - start);
    }
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(18);
    expect(new Set(waits.map(Math.round)).size).toBeGreaterThan(1);
  });
});

describe("observe", () => {
  function recorder() {
    const ends: CallOutcome[] = [];
    const starts: string[] = [];
    const layer = observe({
      onStart: ({ method }) => starts.push(method.path),
      onEnd: (_, outcome) => ends.push(outcome),
    });
    return { ends, starts, layer };
  }

  it("reports success and failure with the status and the number of requests", async () => {
    const { ends, starts, layer } = recorder();
    const given = answering(failed(503), ok, failed(404), broken);
    const connection = connectWith(given, [layer, retry({ backoffMs: 1 })]);
    await connection.call(read);
    await failureOf(connection.call(add));
    await failureOf(connection.call(add));
    expect(starts).toEqual([read.path, add.path, add.path]);
    expect(ends).toMatchObject([
      { error: null, status: 200, requests: 2 },
      { error: { name: "E" }, status: 404, requests: 1 },
      { error: { reason: "network" }, status: null, requests: 1 },
    ]);
    expect(ends.every(({ durationMs }) => durationMs > 0)).toBe(true);
  });

  it("reports each attempt if it is listed after retry", async () => {
    const { ends, layer } = recorder();
    const given = answering(failed(503), ok);
    await connectWith(given, [retry({ backoffMs: 1 }), layer]).call(read);
    expect(ends).toMatchObject([{ status: 503 }, { status: 200 }]);
  });

  it("reports a timeout once, even if fetch never settles", async () => {
    const { ends, layer } = recorder();
    const connection = connectWith(answering(never), [layer]);
    const error = await failureOf(connection.call(read, {}, { timeoutMs: 5 }));
    expect(ends).toMatchObject([{ error, status: null, requests: 1 }]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(ends).toHaveLength(1);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("observer");
      },
    ],
    // An unhandled rejection would fail the run.
    ["rejects", () => Promise.reject(new Error("observer"))],
  ])("does not affect calls if it %s", async (_, fail) => {
    const layer = observe({ onStart: fail, onEnd: fail });
    expect(await connectWith(answering(ok), [layer]).call(read)).toEqual({});
  });
});

describe("refreshCredentials", () => {
  /** Creates a server that accepts only the newest token. */
  function session() {
    const state = { token: 0, valid: 1, refreshes: 0 };
    const fetch = async (_: string, { headers }: RequestInit) => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      const sent = new Headers(headers).get("authorization");
      return sent === String(state.valid) ? ok() : failed(401)();
    };
    const headers = () => ({ authorization: String(state.token) });
    const refresh = async (): Promise<void> => {
      state.refreshes += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      state.token = state.valid;
    };
    return { state, fetch, headers, refresh };
  }

  it("repeats calls that are safe to repeat", async () => {
    const { fetch, headers, refresh } = session();
    const use = [refreshCredentials(refresh)];
    const connection = connectWith({ fetch }, use, { headers });
    expect(await connection.call(put)).toEqual({});
  });

  it("renews credentials for the next call if a call is not safe to repeat", async () => {
    const { state, fetch, headers, refresh } = session();
    const use = [refreshCredentials(refresh)];
    const connection = connectWith({ fetch }, use, { headers });
    const error = await failureOf(connection.call(add));
    expect(error).toMatchObject({ status: 401 });
    expect(await connection.call(add)).toEqual({});
    expect(state.refreshes).toBe(1);
  });

  it("sends nothing if time runs out during the renewal", async () => {
    const given = answering(failed(401), ok);
    let renew = (): void => {};
    const renewal = new Promise<void>((resolve) => (renew = resolve));
    const use = [refreshCredentials(() => renewal)];
    const connection = connectWith(given, use);
    const call = connection.call(read, {}, { timeoutMs: 20 });
    expect(await failureOf(call)).toMatchObject({ reason: "timeout" });
    renew();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(given.sent).toHaveLength(1);
  });

  it("renews once and repeats any call if `repeatsAll` is set", async () => {
    const { state, fetch, headers, refresh } = session();
    const use = [refreshCredentials(refresh, { repeatsAll: true })];
    const connection = connectWith({ fetch }, use, { headers });
    expect(await connection.call(add)).toEqual({});
    expect(await connection.call(add)).toEqual({});
    expect(state.refreshes).toBe(1);
    state.valid = 2;
    expect(await connection.call(add)).toEqual({});
    expect(state.refreshes).toBe(2);
  });

  it("renews once for simultaneous calls", async () => {
    const { state, fetch, headers, refresh } = session();
    const use = [refreshCredentials(refresh, { repeatsAll: true })];
    const connection = connectWith({ fetch }, use, { headers });
    const calls = Array.from({ length: 20 }, () => connection.call(add));
    expect(await Promise.all(calls)).toHaveLength(20);
    expect(state.refreshes).toBe(1);
  });

  it("uses credentials renewed during a call", async () => {
    let answerLate = (_: Response): void => {};
    const late = new Promise<Response>((resolve) => (answerLate = resolve));
    const given = answering(() => late, failed(401), ok);
    let refreshes = 0;
    const use = [refreshCredentials(() => (refreshes += 1))];
    const connection = connectWith(given, use);
    const first = connection.call(put);
    await expect.poll(() => given.sent.length).toBe(1);
    expect(await connection.call(put)).toEqual({});
    answerLate(await failed(401)());
    expect(await first).toEqual({});
    expect([given.sent.length, refreshes]).toEqual([4, 1]);
  });

  it("passes on the second rejection, and handles no other error", async () => {
    const given = answering(failed(401));
    let refreshes = 0;
    const use = [
      refreshCredentials(() => (refreshes += 1), { repeatsAll: true }),
    ];
    expect(await failureOf(connectWith(given, use).call(add))).toMatchObject({
      status: 401,
    });
    expect([given.sent.length, refreshes]).toEqual([2, 1]);
    const other = answering(failed(403), ok);
    await failureOf(connectWith(other, use).call(add));
    expect([other.sent.length, refreshes]).toEqual([1, 1]);
  });

  it("throws the renewal's error, and renews again the next time", async () => {
    const boom = new Error("login failed");
    const failing = [
      () => Promise.reject(boom),
      () => {
        throw boom;
      },
    ];
    for (const fail of failing) {
      const { state, fetch, headers, refresh } = session();
      let isDown = true;
      const use = [refreshCredentials(() => (isDown ? fail() : refresh()))];
      const connection = connectWith({ fetch }, use, { headers });
      expect(await failureOf(connection.call(put))).toBe(boom);
      isDown = false;
      expect(await connection.call(put)).toEqual({});
      expect(state.refreshes).toBe(1);
    }
  });

  it("throws the 401 of a renewal through the same client", async () => {
    type Refresh = Parameters<typeof refreshCredentials>[0];
    const renewals: readonly Refresh[] = [
      () => connection.call(add),
      async () => connection.call(add),
      async (options) => {
        await null;
        await connection.call(add, {}, options);
      },
    ];
    let renew: Refresh = () => {};
    const given = answering(failed(401));
    const connection = connectWith(given, [
      refreshCredentials((options) => renew(options)),
    ]);
    for (renew of renewals) {
      given.sent.length = 0;
      const calls = [read, add].map((method) => connection.call(method));
      expect(await Promise.all(calls.map(failureOf))).toMatchObject([
        { status: 401 },
        { status: 401 },
      ]);
      // Both calls share one renewal.
      expect(given.sent).toHaveLength(3);
    }
  });

  it("throws the 401 of a renewal that was repeated", async () => {
    const given = answering(failed(401), failed(503), failed(401));
    const connection = connectWith(given, [
      retry({ backoffMs: 1, jitter: 0 }),
      refreshCredentials(() => connection.call(read)),
    ]);
    const failure = await failureOf(connection.call(read));
    expect(failure).toMatchObject({ status: 401 });
    expect(given.sent).toHaveLength(3);
  });

  it("lets other calls wait for a renewal through the same client", async () => {
    const { state, fetch, headers, refresh } = session();
    let other: Promise<unknown> | undefined;
    const connection = connectWith(
      { fetch },
      [
        refreshCredentials(async (options) => {
          await null;
          other = connection.call(read);
          await failureOf(connection.call(read, {}, options));
          await refresh();
        }),
      ],
      { headers },
    );
    expect(await connection.call(read)).toEqual({});
    expect(await other).toEqual({});
    expect(state.refreshes).toBe(1);
  });
});

describe("announceTimeout", () => {
  it("sends the remaining time with each attempt", async () => {
    const given = answering(broken, ok);
    const use = [announceTimeout(), retry({ backoffMs: 40, jitter: 0 })];
    await connectWith(given, use, { timeoutMs: 60_000 }).call(read);
    const [first = 0, second = 0] = given.sent.map(({ headers }) =>
      Number(new Headers(headers).get("request-timeout-ms")),
    );
    expect(first).toBeGreaterThan(50_000);
    expect(first).toBeLessThanOrEqual(60_000);
    expect(second).toBeLessThanOrEqual(first - 39);
    expect(new Headers(given.sent[1]?.headers).get("content-type")).toBe(
      "application/json",
    );
  });

  it("sends nothing without a limit", async () => {
    for (const timeoutMs of [undefined, Infinity]) {
      const given = answering(ok);
      const options = timeoutMs === undefined ? {} : { timeoutMs };
      await connectWith(given, [announceTimeout()], options).call(read);
      const headers = new Headers(given.sent[0]?.headers);
      expect(headers.has("request-timeout-ms")).toBe(false);
    }
  });
});

describe("checkResponses", () => {
  const checks = {
    [read.path]: (value: unknown, report: { failAt: Fail }): void => {
      if (!isRecord(value)) return;
      if (value["page"] === null) delete value["page"];
      if (typeof value["id"] !== "number") {
        report.failAt("id", "a number", value["id"]);
      }
    },
  };
  type Fail = (key: string, expected: string, value: unknown) => void;
  const body =
    (text: string): Answer =>
    () =>
      new Response(text);

  it("accepts valid responses, and removes null from optional fields", async () => {
    const given = answering(body('{"id":1,"page":null}'));
    const use = [checkResponses(checks, "throw")];
    expect(await connectWith(given, use).call(read)).toEqual({ id: 1 });
  });

  it("throws for an invalid response, and reports the location of the fault", async () => {
    const given = answering(body('{"id":"x"}'));
    const use = [checkResponses(checks, "throw")];
    const error = await failureOf(connectWith(given, use).call(read));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({
      reason: "bad-response",
      cause: 'id: expected a number, got "x"',
    });
  });

  it("passes the faults of an invalid response to a function instead of throwing", async () => {
    const told: [readonly Failure[], string][] = [];
    const use = [
      checkResponses(checks, (failures, { method }) =>
        told.push([failures, method.path]),
      ),
    ];
    const given = answering(body('{"id":"x"}'), body('{"id":2}'));
    const connection = connectWith(given, use);
    expect(await connection.call(read)).toEqual({ id: "x" });
    expect(await connection.call(read)).toEqual({ id: 2 });
    expect(told).toEqual([
      [[{ path: ["id"], expected: "a number", got: '"x"' }], "/rpc/A/Read"],
    ]);
  });

  it("throws any error from the function, even if it is async", async () => {
    const full = new Error("the log is full");
    const use = [checkResponses(checks, () => Promise.reject(full))];
    const given = answering(body('{"id":"x"}'));
    expect(await failureOf(connectWith(given, use).call(read))).toBe(full);
  });

  it("reports the location of the fault even if decoding fails", async () => {
    const decoding: ClientMethod<{}, {}, RpcError> = rpc(read.path, {
      decode: () => {
        throw new TypeError("cannot decode");
      },
    });
    const given = answering(body('{"id":"x"}'));
    const use = [checkResponses(checks, "throw")];
    const error = await failureOf(connectWith(given, use).call(decoding));
    expect(error).toMatchObject({ cause: 'id: expected a number, got "x"' });
  });

  it("checks neither errors nor methods without a check", async () => {
    const use = [checkResponses(checks, "throw")];
    const given = answering(body('{"id":"x"}'), failed(404));
    expect(await connectWith(given, use).call(add)).toEqual({ id: "x" });
    const error = await failureOf(connectWith(given, use).call(read));
    expect(error).toMatchObject({ status: 404, name: "E" });
    const inherited: ClientMethod<{}, {}, RpcError> = rpc("constructor");
    const other = answering(body("{}"));
    expect(await connectWith(other, use).call(inherited)).toEqual({});
  });
});

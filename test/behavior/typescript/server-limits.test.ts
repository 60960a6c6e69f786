import { afterEach, describe, expect, it, vi } from "vitest";
import { RpcError } from "../../../runtime/typescript/wire/errors.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import type {
  RequestContext,
  ServerMethod,
  ServerOptions,
} from "../../../runtime/typescript/server/server.js";
import { hosts, type Received, type Running } from "./hosts.js";
import { lambdaHosts } from "./lambda-hosts.js";
import {
  createSampleServer,
  plainRow,
  sampleErrors,
  sampleOptions,
} from "./sample-server.js";

const running: Running[] = [];

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

type Run = (request: unknown, context: RequestContext) => unknown;

/**
 * Returns the options of a server that handles these methods of the `API`
 * service.
 */
function optionsFor(
  handlers: Readonly<Record<string, Run>>,
  options: ServerOptions = {},
): ServerOptions {
  const whole: ServerOptions & { readonly handlers: object } = {
    ...options,
    handlers: { api: handlers },
  };
  return whole;
}

/**
 * Returns the rows for methods of the `API` service, each at `/rpc/API/<name>`.
 */
function rowsFor(...names: readonly string[]): readonly ServerMethod[] {
  return names.map((name) => ({
    ...plainRow,
    service: "API",
    name,
    handler: ["api", name],
    route: { kind: "rpc", path: `/rpc/API/${name}` },
  }));
}

function createRunner(run: Run, options: ServerOptions = {}) {
  return createServer(optionsFor({ run }, options), rowsFor("run"));
}

const json = { "content-type": "application/json" };

function post(
  host: Running,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Received> {
  const bytes = new TextEncoder().encode(body);
  const all = { ...json, ...headers };
  return host.send({ verb: "POST", path, headers: all, body: bytes });
}

/** Creates a promise and the function that resolves it. */
function createGate() {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { isOpen, open: () => open() };
}

describe.each([...hosts, ...lambdaHosts])("limits on $name", ({ start }) => {
  const startWith = async (
    server: ReturnType<typeof createRunner>,
  ): Promise<Running> => {
    const host = await start(server);
    running.push(host);
    return host;
  };

  it("responds when the deadline passes, and notifies the handler", async () => {
    const reasons: unknown[] = [];
    const errors: unknown[] = [];
    const run: Run = async (_, { signal }) => {
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
      });
      reasons.push(signal.reason);
      throw new Error("nobody hears of this");
    };
    const onError = (error: unknown): void => void errors.push(error);
    const host = await startWith(createRunner(run, { timeoutMs: 30, onError }));
    const answer = await post(host, "/rpc/API/run", "{}");
    expect(answer.status).toBe(504);
    expect(JSON.parse(answer.text)).toEqual({
      error: "WebrpcRequestFailed",
      code: -1,
      msg: "request failed",
      status: 504,
      cause: "no response within 30 ms",
    });
    await expect.poll(() => reasons).toHaveLength(1);
    expect(reasons[0]).toMatchObject({ status: 504 });
    expect(errors).toEqual(reasons);
  });

  it("respects the client's deadline up to the server's own", async () => {
    const seen: number[] = [];
    const run: Run = (_, context) => {
      seen.push(context.remainingMs());
      return {};
    };
    const host = await startWith(createRunner(run, { timeoutMs: 60_000 }));
    const given = ["20000", "900000", "0x10", "-1", "", "1e9", "99999999999"];
    for (const value of given) {
      const headers = { "Request-Timeout-Ms": value };
      const answer = await post(host, "/rpc/API/run", "{}", headers);
      expect(answer.status).toBe(200);
    }
    const [first = 0, ...others] = seen;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(20_000);
    expect(others).toHaveLength(6);
    for (const remaining of others) {
      expect(remaining).toBeGreaterThan(40_000);
      expect(remaining).toBeLessThanOrEqual(60_000);
    }
  });

  it("rejects a request beyond the limit, and accepts the next one", async () => {
    const gate = createGate();
    let started = 0;
    const run: Run = async () => {
      started += 1;
      await gate.isOpen;
      return {};
    };
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const host = await startWith(
      createRunner(run, { maxConcurrent: 2, onError }),
    );
    const first = [1, 2].map(() => post(host, "/rpc/API/run", "{}"));
    await expect.poll(() => started).toBe(2);
    const refused = await post(host, "/rpc/API/run", "{}");
    expect(refused.status).toBe(503);
    expect(refused.header("retry-after")).toBe("1");
    expect(JSON.parse(refused.text)).toEqual({
      error: "WebrpcRequestFailed",
      code: -1,
      msg: "request failed",
      status: 503,
      cause: "too many requests at once",
    });
    gate.open();
    const statuses = (await Promise.all(first)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200]);
    expect((await post(host, "/rpc/API/run", "{}")).status).toBe(200);
    expect(errors).toMatchObject([
      { name: "WebrpcRequestFailed", status: 503 },
    ]);
  });

  it("supports limits for individual methods", async () => {
    const own = { maxBodyBytes: 20, maxDepth: 2 };
    const options = { methods: { "API/small": own }, maxBodyBytes: 50 };
    const echo: Run = (request) => request;
    const host = await startWith(
      createServer(
        optionsFor({ small: echo, large: echo }, options),
        rowsFor("small", "large"),
      ),
    );
    const statusesOf = async (body: string) => [
      (await post(host, "/rpc/API/small", body)).status,
      (await post(host, "/rpc/API/large", body)).status,
    ];
    expect(await statusesOf('{"a":[1]}')).toEqual([200, 200]);
    expect(await statusesOf('{"a":[[1]]}')).toEqual([400, 200]);
    expect(await statusesOf(`{"a":"${"x".repeat(20)}"}`)).toEqual([413, 200]);
    expect(await statusesOf(`{"a":"${"x".repeat(50)}"}`)).toEqual([413, 413]);
  });
});

describe("request slots", () => {
  it("are limited per method and for all methods together", async () => {
    const gate = createGate();
    const wait: Run = async () => {
      await gate.isOpen;
      return {};
    };
    const server = createServer(
      optionsFor(
        { one: wait, two: wait },
        { maxConcurrent: 3, methods: { "API/one": { maxConcurrent: 1 } } },
      ),
      rowsFor("one", "two"),
    );
    const send = async (name: string): Promise<number> => {
      const init = { method: "POST", headers: json, body: "{}" };
      const url = `http://host/rpc/API/${name}`;
      return (await server.fetch(new Request(url, init))).status;
    };
    const answers = ["one", "one", "two", "two", "two"].map(send);
    const refused = await Promise.all([answers[1], answers[4]]);
    expect(refused).toEqual([503, 503]);
    gate.open();
    expect(await Promise.all(answers)).toEqual([200, 503, 200, 200, 503]);
    expect(await send("one")).toBe(200);
  });

  it("are released after every failure", async () => {
    const failing = [
      () => Promise.reject(new RpcError(sampleErrors.Geoblocked)),
      () => Promise.reject(new Error("boom")),
      () => new Promise(() => undefined),
    ];
    for (const run of failing) {
      const options = { maxConcurrent: 1, timeoutMs: 20 };
      const server = createRunner(run, options);
      const statuses: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const init = { method: "POST", headers: json, body: "{}" };
        const url = "http://host/rpc/API/run";
        statuses.push((await server.fetch(new Request(url, init))).status);
      }
      expect(new Set(statuses).size).toBe(1);
      expect(statuses).not.toContain(503);
    }
  });

  const callWithin = async (
    server: ReturnType<typeof createRunner>,
    ms: string,
  ): Promise<number> => {
    const headers = { ...json, "request-timeout-ms": ms };
    const init = { method: "POST", headers, body: "{}" };
    const request = new Request("http://host/rpc/API/run", init);
    return (await server.fetch(request)).status;
  };

  it("belong to a handler until it ends, whatever the client's deadline", async () => {
    const gate = createGate();
    const server = createRunner(() => gate.isOpen, { maxConcurrent: 1 });
    expect(await callWithin(server, "5")).toBe(504);
    expect(await callWithin(server, "5")).toBe(503);
    gate.open();
    await expect.poll(() => callWithin(server, "60000")).toBe(200);
  });

  it.each([
    ["before", () => AbortSignal.timeout(5)],
    ["after", () => new AbortController().signal],
  ])(
    "stay with a generator until it ends, even if the client disconnects %s the stream begins",
    async (_, createSignal) => {
      const gate = createGate();
      const run: Run = async function* () {
        await gate.isOpen;
        yield {};
      };
      const rows = rowsFor("run").map(
        (row) => ({ ...row, isStream: true }) as const,
      );
      const options = optionsFor({ run }, { maxConcurrent: 1 });
      const server = createServer(options, rows);
      const open = async (signal: AbortSignal): Promise<number> => {
        const init = { method: "POST", headers: json, body: "{}", signal };
        const request = new Request("http://host/rpc/API/run", init);
        const { body, status } = await server.fetch(request);
        await body?.cancel();
        return status;
      };
      await open(createSignal());
      const { signal } = new AbortController();
      expect(await open(signal)).toBe(503);
      gate.open();
      await expect.poll(() => open(signal)).toBe(200);
    },
  );

  it("are released if the client leaves before a long response", async () => {
    const left = new AbortController();
    const ended = vi.fn();
    const server = createRunner(
      () => {
        left.abort();
        return { text: "x".repeat(70_000) };
      },
      { maxConcurrent: 1, observe: () => ended },
    );
    // Nothing reads the response either.
    const open = async ({ signal }: AbortController): Promise<number> => {
      const init = { method: "POST", headers: json, body: "{}", signal };
      const request = new Request("http://host/rpc/API/run", init);
      return (await server.fetch(request)).status;
    };
    expect(await open(left)).toBe(200);
    expect(ended).toHaveBeenCalledTimes(1);
    expect(await open(new AbortController())).toBe(200);
  });

  it("are released at the server's own deadline if a handler hangs", async () => {
    const options = { maxConcurrent: 1, timeoutMs: 100 };
    const server = createRunner(() => new Promise(() => undefined), options);
    expect(await callWithin(server, "5")).toBe(504);
    expect(await callWithin(server, "5")).toBe(503);
    await expect.poll(() => callWithin(server, "5")).toBe(504);
  });
});

/** Counts the timers that keep the process alive. */
function runningTimers(): number {
  const resources = process.getActiveResourcesInfo();
  return resources.filter((name) => name === "Timeout").length;
}

describe("deadlines", () => {
  const call = (server: ReturnType<typeof createRunner>): Promise<Response> => {
    const init = { method: "POST", headers: json, body: "{}" };
    return server.fetch(new Request("http://host/rpc/API/run", init));
  };

  it("are 60 seconds by default", async () => {
    const seen: number[] = [];
    const server = createRunner((_, context) => {
      seen.push(context.remainingMs());
      return {};
    });
    await call(server);
    expect(Math.round((seen[0] ?? 0) / 1000)).toBe(60);
  });

  it("can be disabled", async () => {
    const seen: unknown[] = [];
    for (const timeoutMs of [Infinity, 2 ** 31]) {
      const run: Run = (_, context) => {
        seen.push(context.remainingMs() > 2 ** 31 - 1000, context.signal);
        return {};
      };
      expect((await call(createRunner(run, { timeoutMs }))).status).toBe(200);
    }
    expect(seen).toEqual([
      true,
      expect.any(AbortSignal),
      true,
      expect.any(AbortSignal),
    ]);
  });

  it("leave no timer that keeps the process alive", async () => {
    const outcomes: Run[] = [
      () => ({}),
      () => Promise.reject(new Error("boom")),
      () => null,
    ];
    const before = runningTimers();
    for (const run of outcomes) {
      const server = createRunner(run);
      await call(server);
      await call(server);
      expect(runningTimers()).toBe(before);
    }
  });

  it("cover verifiers", async () => {
    const server = createSampleServer({
      timeoutMs: 20,
      verifyAccessKey: () => new Promise<boolean>(() => undefined),
    });
    const headers = { ...json, "x-access-key": "public-key" };
    const init = { method: "POST", headers, body: "{}" };
    const url = "http://host/rpc/API/GetPrice";
    expect((await server.fetch(new Request(url, init))).status).toBe(504);
  });

  it("abort the signal even if it is first accessed after they pass", async () => {
    const seen: unknown[] = [];
    const server = createRunner(
      async (_, context) => {
        await new Promise((resolve) => setTimeout(resolve, 40));
        seen.push(context.signal.aborted, context.signal.reason);
      },
      { timeoutMs: 10 },
    );
    expect((await call(server)).status).toBe(504);
    await expect.poll(() => seen).toHaveLength(2);
    expect(seen).toEqual([true, expect.objectContaining({ status: 504 })]);
  });

  it("end streams that start too late", async () => {
    const steps: string[] = [];
    const options = { timeoutMs: 10, maxConcurrent: 1 };
    async function* count(): AsyncGenerator<object> {
      try {
        steps.push("begun");
        yield {};
        yield {};
      } finally {
        steps.push("ended");
      }
    }
    const run: Run = async () => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return count();
    };
    const rows = rowsFor("run").map(
      (row) => ({ ...row, isStream: true }) as const,
    );
    const server = createServer(optionsFor({ run }, options), rows);
    expect((await call(server)).status).toBe(504);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([[], ["begun", "ended"]]).toContainEqual(steps);
    // Its slot was released only once.
    const statuses = (await Promise.all([call(server), call(server)])).map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([504, 503]);
  });

  it("leave no listeners on the client's signal", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    let late: AbortSignal | null = null;
    const server = createRunner((_, context) => {
      void setTimeout(() => (late = context.signal), 20);
      return { isAborted: context.signal.aborted };
    });
    const request = {
      method: "POST",
      target: "/rpc/API/run",
      header: (name: string) => (name === "content-type" ? json[name] : null),
      text: () => Promise.resolve("{}"),
      chunks: () => new ReadableStream(),
      signal: () => signal,
    };
    expect((await server.handle(request)).status).toBe(200);
    await expect.poll(() => late).not.toBeNull();
    expect(listeners).toBe(0);
  });

  it("never report a remaining time below zero", async () => {
    const seen: number[] = [];
    const server = createRunner(
      async (_, context) => {
        await new Promise((resolve) => {
          context.signal.addEventListener("abort", resolve);
        });
        seen.push(context.remainingMs());
      },
      { timeoutMs: 10 },
    );
    expect((await call(server)).status).toBe(504);
    await expect.poll(() => seen).toHaveLength(1);
    expect(seen[0]).toBeLessThan(5);
    expect(seen[0]).toBeGreaterThanOrEqual(0);
  });
});

describe("options for individual methods", () => {
  it("can be shared by all receivers of a service", async () => {
    const methods = { "API/one": { maxBodyBytes: 10 }, "API/two": {} };
    const options = optionsFor({ one: () => ({}) }, { methods });
    const rows = rowsFor("one").map(
      (row) =>
        ({ ...row, route: { kind: "webhook", isAnyEvent: true } }) as const,
    );
    const server = createServer(options, rows);
    const init = { method: "POST", headers: json, body: '{"a":"12345"}' };
    const answer = await server.fetch(new Request("http://host/", init));
    expect(answer.status).toBe(413);
  });

  it("must name existing methods", () => {
    const options = { ...sampleOptions, methods: { "API/Pnig": {} } };
    expect(() => createSampleServer(options)).toThrow(
      new TypeError(
        "server option `methods` names the unknown method API/Pnig",
      ),
    );
  });
});

import {
  dehydrate,
  hydrate,
  MutationObserver,
  onlineManager,
  QueryClient,
} from "@tanstack/query-core";
import { afterEach, expect, it, vi } from "vitest";
import {
  createClient,
  rpc,
} from "../../../runtime/typescript/codegen/create-client.js";
import { sendKey } from "../../../runtime/typescript/codegen/idempotency-key.js";
import { keyedMutationMethod } from "../../../runtime/typescript/codegen/query.js";
import { retry } from "../../../runtime/typescript/client/interceptors.js";
import type {
  ClientMethod,
  ClientOptions,
  Fetch,
} from "../../../runtime/typescript/client/client.js";

afterEach(() => {
  onlineManager.setOnline(true);
  vi.useRealTimers();
});

interface Transfer {
  readonly cents: number;
}

const transfer: ClientMethod<Transfer, { id: number }, never> = rpc(
  "/rpc/Bank/Transfer",
  { safety: "idempotent", use: [sendKey] },
);

/**
 * What a request gets: a response, a lost connection, or a running call, which a
 * server can print in its own way.
 */
type Outcome = "ok" | "lost" | "running" | "printed" | "hanging";

/** Creates mutations of a server that gives some outcomes in turn. */
function openBank(...outcomes: readonly (Outcome | (() => Outcome))[]) {
  return openBankWith({}, ...outcomes);
}

/** The same, for a client with options of its own. */
function openBankWith(
  options: Partial<ClientOptions>,
  ...outcomes: readonly (Outcome | (() => Outcome))[]
) {
  const keys: (string | null)[] = [];
  const fetch: Fetch = async (_, init) => {
    keys.push(new Headers(init.headers).get("idempotency-key"));
    const given = outcomes[keys.length - 1] ?? "ok";
    const outcome = typeof given === "function" ? given() : given;
    if (outcome === "hanging") return new Promise(() => {});
    if (outcome === "lost") throw new TypeError("reset");
    if (outcome === "ok") return Response.json({ id: keys.length });
    if (outcome === "printed") {
      const headers = { "idempotency-state": "running" };
      return Response.json({ detail: "running" }, { status: 409, headers });
    }
    const running = { error: "WebrpcRequestFailed", code: -1, status: 409 };
    return Response.json(running, { status: 409 });
  };
  const all = { ...options, baseUrl: "http://bank", fetch };
  const calls = createClient(all, { transfer });
  const create = () =>
    keyedMutationMethod<Transfer, { id: number }, Error>(
      calls.transfer,
      ["Bank"],
      "transfer",
    );
  return { create, keys, method: create() };
}

type Method = ReturnType<typeof openBank>["method"];

/** Creates a client that repeats mutations and knows how to resume them. */
function openClient(method: Method, retry = 3): QueryClient {
  const options = { ...method.mutationOptions(), retry, retryDelay: 1 };
  const client = new QueryClient();
  client.setMutationDefaults(options.mutationKey, options);
  return client;
}

/** Calls `mutate` of a component of its own. */
function mutate(client: QueryClient, method: Method, request: Transfer) {
  const options = method.mutationOptions();
  const defaults = client.getMutationDefaults(options.mutationKey);
  const all = { ...defaults, ...options };
  return new MutationObserver(client, all).mutate(request);
}

it("sends one key with all retries of one `mutate`, and another with the next", async () => {
  const { keys, method } = openBank("lost", "lost", "lost", "ok", "lost");
  const client = openClient(method);
  expect(await mutate(client, method, { cents: 1 })).toEqual({ id: 4 });
  await mutate(client, method, { cents: 1 });
  expect(new Set(keys.slice(0, 4)).size).toBe(1);
  expect(new Set(keys.slice(4)).size).toBe(1);
  expect(keys).toHaveLength(6);
  expect(keys[4]).not.toBe(keys[0]);
});

it("refuses an empty key, in place of a random one for each attempt", async () => {
  const { keys, method } = openBank();
  const options = method.mutationOptions({ idempotencyKey: () => "" });
  const observer = new MutationObserver(new QueryClient(), options);
  await expect(observer.mutate({ cents: 1 })).rejects.toThrow(TypeError);
  expect(keys).toEqual([]);
});

it("keeps the keys of simultaneous calls with the same variables apart", async () => {
  const { keys, method } = openBank("lost", "lost", "lost");
  const client = openClient(method);
  const request = { cents: 1 };
  await Promise.all([1, 2, 3].map(() => mutate(client, method, request)));
  expect(keys).toHaveLength(6);
  expect(new Set(keys).size).toBe(3);
});

it("keeps the key when options are set again between two attempts", async () => {
  const { create, keys, method } = openBank("lost", "lost");
  const client = openClient(method);
  const retryDelay = (): number => {
    // As a component that renders does, with queries created again.
    observer.setOptions({
      ...create().mutationOptions(),
      retry: 3,
      retryDelay,
    });
    return 1;
  };
  const options = { ...method.mutationOptions(), retry: 3, retryDelay };
  const observer = new MutationObserver(client, options);
  await observer.mutate({ cents: 1 });
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

it("keeps the key over a pause and a resume", async () => {
  const { keys, method } = openBank(() => {
    onlineManager.setOnline(false);
    return "lost";
  });
  const client = openClient(method);
  client.mount();
  const outcome = mutate(client, method, { cents: 1 });
  await expect
    .poll(() => client.getMutationCache().getAll()[0]?.state)
    .toMatchObject({ isPaused: true });
  onlineManager.setOnline(true);
  expect(await outcome).toEqual({ id: 2 });
  client.unmount();
  expect(keys[1]).toBe(keys[0]);
});

it("keeps the key of a paused mutation that is stored and restored", async () => {
  const { keys, method } = openBank(() => {
    onlineManager.setOnline(false);
    return "lost";
  });
  const before = openClient(method);
  void mutate(before, method, { cents: 1 });
  await expect
    .poll(() => before.getMutationCache().getAll()[0]?.state)
    .toMatchObject({ isPaused: true });
  const stored = JSON.stringify(dehydrate(before));
  const after = openClient(method);
  hydrate(after, JSON.parse(stored));
  onlineManager.setOnline(true);
  await after.resumePausedMutations();
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
});

it("keeps the keys of several mutations that are stored while they run", async () => {
  let stored = "";
  const keep = { shouldDehydrateMutation: () => true };
  const hang = (): Outcome => {
    throw new Error("the page was closed");
  };
  const { keys, method } = openBank(hang, hang);
  const before = openClient(method, 0);
  before.getMutationCache().subscribe(({ mutation }) => {
    const isRunning = mutation?.state.status === "pending";
    if (isRunning) stored = JSON.stringify(dehydrate(before, keep));
  });
  const request = { cents: 1 };
  await Promise.allSettled([
    mutate(before, method, request),
    mutate(before, method, request),
  ]);
  const after = openClient(method);
  hydrate(after, JSON.parse(stored));
  for (const mutation of after.getMutationCache().getAll())
    await mutation.continue();
  expect(keys).toHaveLength(4);
  expect(new Set(keys.slice(2))).toEqual(new Set(keys.slice(0, 2)));
  expect(new Set(keys).size).toBe(2);
});

it.each([
  ["a request", 60_000, 1000],
  [undefined, 300_000, undefined],
] as const)(
  "waits no longer than %s allows",
  async (_, waitedMs, timeoutMs) => {
    vi.useFakeTimers();
    const { keys, method } = openBank(...Array<Outcome>(999).fill("running"));
    const options = method.mutationOptions(timeoutMs ? { timeoutMs } : {});
    const outcome = new MutationObserver(new QueryClient(), options)
      .mutate({ cents: 1 })
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(waitedMs + 1000);
    expect(await outcome).toMatchObject({ reason: "timeout" });
    expect(keys.length).toBeLessThanOrEqual(301);
  },
);

it("limits the wait and the last request together", async () => {
  vi.useFakeTimers();
  const running = Array<Outcome>(3).fill("running");
  const { keys, method } = openBank(...running, "hanging");
  const start = performance.now();
  const outcome = new MutationObserver(
    new QueryClient(),
    method.mutationOptions({ timeoutMs: 5000 }),
  )
    .mutate({ cents: 1 })
    .catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await outcome).toMatchObject({ reason: "timeout" });
  expect(performance.now() - start).toBeLessThanOrEqual(5000);
  expect(keys).toHaveLength(4);
});

it("gives each attempt the deadline of a client with `retry`", async () => {
  vi.useFakeTimers();
  const { keys, method } = openBankWith(
    { timeoutMs: 5000, use: [retry()] },
    ...Array<Outcome>(999).fill("running"),
  );
  const client = openClient(method, 1);
  client.mount();
  const outcome = mutate(client, method, { cents: 1 }).catch(
    (error: unknown) => error,
  );
  await vi.advanceTimersByTimeAsync(1000);
  onlineManager.setOnline(false);
  await vi.advanceTimersByTimeAsync(60_000);
  const sent = keys.length;
  onlineManager.setOnline(true);
  await vi.advanceTimersByTimeAsync(6000);
  expect(await outcome).toMatchObject({ reason: "timeout" });
  client.unmount();
  expect(keys.length).toBeGreaterThan(sent);
  expect(new Set(keys).size).toBe(1);
});

it.each<Outcome>(["running", "printed"])(
  "waits for the answer of an attempt that is still running: %s",
  async (each) => {
    vi.useFakeTimers();
    const running = Array<Outcome>(30).fill(each);
    const { keys, method } = openBank("lost", ...running, "ok");
    const outcome = mutate(openClient(method, 1), method, { cents: 1 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await outcome).toEqual({ id: 32 });
    expect(new Set(keys).size).toBe(1);
  },
);

it("derives the key from the request if it is told how", async () => {
  const { keys, method } = openBank();
  const client = openClient(method);
  const idempotencyKey = ({ cents }: Transfer) => `draft ${cents}`;
  const options = method.mutationOptions({ idempotencyKey });
  for (const cents of [1, 2, 1])
    await new MutationObserver(client, options).mutate({ cents });
  expect(keys).toEqual(['"draft 1"', '"draft 2"', '"draft 1"']);
});

it("refuses one key for all calls", () => {
  const { method } = openBank();
  const options: object = { idempotencyKey: "row 7" };
  expect(() => method.mutationOptions(options)).toThrow(
    "idempotencyKey: expected a function",
  );
});

import { afterEach, expect, it, vi } from "vitest";
import {
  createClient,
  rpc,
} from "../../../runtime/typescript/codegen/create-client.js";
import { sendKey } from "../../../runtime/typescript/codegen/idempotency-key.js";
import {
  createStreams,
  stream,
} from "../../../runtime/typescript/codegen/create-streams.js";
import { createTools } from "../../../runtime/typescript/codegen/create-tools.js";
import {
  limitResponses,
  retry,
} from "../../../runtime/typescript/client/interceptors.js";
import type {
  ClientMethod,
  Fetch,
} from "../../../runtime/typescript/client/client.js";
import type { StreamMethod } from "../../../runtime/typescript/client/stream.js";

afterEach(() => vi.unstubAllGlobals());

/**
 * An `AbortSignal` as React Native and the npm package `abort-controller` have
 * it: listeners ignore the option `signal`.
 */
function createSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  vi.spyOn(signal, "addEventListener").mockImplementation(
    (type: string, listener: EventListenerOrEventListenerObject) => {
      listeners.add(listener);
      add(type, listener);
    },
  );
  vi.spyOn(signal, "removeEventListener").mockImplementation(
    (type: string, listener: EventListenerOrEventListenerObject) => {
      listeners.delete(listener);
      remove(type, listener);
    },
  );
  return { controller, signal, listeners };
}

const safety = "readonly";
const read: ClientMethod<{}, {}, never> = rpc("/rpc/A/Read", { safety });
const watch: StreamMethod<{}, { n: number }, never> = stream("/rpc/A/Watch", {
  safety,
});
const headers = { "content-type": "application/x-ndjson" };
const outcomes: readonly Fetch[] = [
  async () => new Response('{"n":1}\n', { headers }),
  async () => new Response("{}", { status: 503 }),
  async () => {
    throw new TypeError("reset");
  },
];

it("settled calls, streams and tools leave no listener on a shared signal", async () => {
  const { controller, signal, listeners } = createSignal();
  let count = 0;
  const fetch: Fetch = async (url, init) => {
    count += 1;
    const outcome = outcomes[count % outcomes.length];
    if (outcome === undefined) throw new Error("there is no outcome");
    return outcome(url, init);
  };
  const use = [retry({ backoffMs: 0, attemptTimeoutMs: 10_000 })];
  const options = { baseUrl: "http://host", fetch, use, signal };
  const client = createClient(options, { read });
  const streams = createStreams(options, { watch });
  const tool = {
    texts: { title: "Watch", description: "" },
    method: watch,
    input: "Watch",
    output: "Tick",
    checkRequest: null,
    checkResponse: null,
  };
  const tools = createTools(
    options,
    { watch: tool },
    { Watch: {} },
    { Tick: {} },
  );
  for (let i = 0; i < 100; i += 1) {
    await client.read.result({}, { signal });
    try {
      for await (const _ of streams.watch({}, { signal })) break;
    } catch {
      // The stream failed, which ends it as well.
    }
    await tools[0]?.call({}, signal).catch(() => undefined);
  }
  expect(listeners.size).toBe(0);
  // A signal that aborts ends a call, and leaves nothing either.
  const hung = createClient(
    { ...options, fetch: () => new Promise(() => {}) },
    { read },
  );
  const outcome = hung.read.result();
  expect(listeners.size).toBeGreaterThan(0);
  controller.abort("left");
  expect(await outcome).toMatchObject({
    error: { reason: "aborted", cause: "left" },
  });
  expect(listeners.size).toBe(0);
});

it("limitResponses passes responses without a body as a stream", async () => {
  const fetch: Fetch = async () =>
    Object.defineProperty(new Response('{"n":1}'), "body", {
      value: undefined,
    });
  const options = { baseUrl: "http://host", fetch, use: [limitResponses()] };
  expect(await createClient(options, { read }).read()).toEqual({ n: 1 });
});

it("without `crypto`, a call with a key needs the key of its caller", async () => {
  const pay: ClientMethod<{}, {}, never> = rpc("/rpc/A/Pay", {
    use: [sendKey],
  });
  let sent = 0;
  const fetch: Fetch = async () => {
    sent += 1;
    return new Response("{}");
  };
  const client = createClient({ baseUrl: "http://host", fetch }, { pay });
  vi.stubGlobal("crypto", undefined);
  await expect(client.pay()).rejects.toThrow(
    "idempotencyKey: expected 1 to 255 ASCII characters, got undefined",
  );
  expect(sent).toBe(0);
  expect(await client.pay({}, { idempotencyKey: "draft 7" })).toEqual({});
});

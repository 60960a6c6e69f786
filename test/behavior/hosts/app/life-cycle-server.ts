import { timerCount } from "./count-open.js";
import type {
  RequestContext,
  RpcServer,
  ServerOptions,
} from "../../../../runtime/typescript/server/server.js";

type Handler = (
  request: Readonly<Record<string, unknown>>,
  context: RequestContext,
) => unknown;

/** The number of requests that each method runs at the same time. */
const places = { maxConcurrent: 3 };

/** The options of the server: a short time for everything. */
const shortTimes: ServerOptions = {
  timeoutMs: 2000,
  maxUploadBytes: 8_000_000,
  // Longer than a test waits for the timer of an upload that broke off.
  bodyTimeoutMs: 60_000,
  onError: () => undefined,
  methods: {
    "Work/Sleep": { ...places, timeoutMs: 60_000 },
    "Work/Queued": {
      ...places,
      maxQueued: 10,
      queueMs: 20_000,
      timeoutMs: 60_000,
    },
    "Work/Alone": { maxConcurrentPerTenant: 1, timeoutMs: 60_000 },
    "Work/Tick": places,
    "Work/Wait": { ...places, keepAliveMs: 500 },
    "Work/WaitLong": places,
    "Work/Stay": places,
    "Work/Follow": places,
    "Work/Flood": places,
    "Work/Download": places,
    "Work/Upload": { ...places, timeoutMs: 60_000 },
    "Work/Ignore": { timeoutMs: 60_000 },
    "Work/Guarded": { timeoutMs: 60_000 },
    "Probe/Open": { timeoutMs: Infinity },
  },
};

/** The number of milliseconds that a client has to read some of a response. */
const sendTimeoutMs = 1000;

type Generated = Readonly<Record<string, unknown>>;

interface Served {
  readonly server: RpcServer;
}

/** Creates the server of `life-cycle.ridl` from its generated code. */
export const createLifeCycle = (generated: Generated): Served =>
  createWith(generated, shortTimes);

/** The same, with few slots for all clients together. */
export const createSmall = (generated: Generated): Served =>
  createWith(generated, { maxConcurrent: 2 });

/** The same, with few slots for each tenant. */
export const createShared = (generated: Generated): Served =>
  createWith(generated, {
    maxConcurrent: 200,
    maxConcurrentPerTenant: 3,
    tenant: ({ header }) => header("x-tenant"),
  });

function createWith(generated: Generated, options: ServerOptions): Served {
  const createServer = generated["createLifeCycleServer"] as (
    options: object,
  ) => RpcServer;
  const open = { handlers: 0, streams: 0 };
  return {
    server: createServer({
      ...options,
      sendTimeoutMs,
      verifyKey: (key: string) => key === "key",
      handlers: {
        work: { ...createCalls(open), ...createStreams(open) },
        probe: {
          open: () => ({ ...open, tasks: timerCount() }),
        },
      },
    }),
  };
}

interface Open {
  handlers: number;
  streams: number;
}

function createCalls(open: Open): Readonly<Record<string, Handler>> {
  const sleep: Handler = async ({ ms }, { signal }) => {
    open.handlers += 1;
    await wait(Number(ms), signal);
    open.handlers -= 1;
  };
  return {
    ping: () => undefined,
    large: () => ({ text: "x".repeat(5_000_000) }),
    sleep,
    async late({ ms }) {
      open.handlers += 1;
      await wait(Number(ms), new AbortController().signal);
      open.handlers -= 1;
    },
    fail: () => {
      throw new Error("failed");
    },
    queued: sleep,
    alone: sleep,
    async upload({ file }) {
      let bytes = 0;
      open.handlers += 1;
      try {
        for await (const { byteLength } of (file as Blob).stream())
          bytes += byteLength;
      } finally {
        open.handlers -= 1;
      }
      return { bytes };
    },
    ignore: () => undefined,
    guarded: () => undefined,
  };
}

function createStreams(open: Open): Readonly<Record<string, Handler>> {
  /** Counts a stream until it ends. */
  const counted = (
    pieces: (
      signal: AbortSignal,
      request: Parameters<Handler>[0],
    ) => AsyncGenerator<object>,
  ): Handler =>
    async function* (request, { signal }) {
      open.streams += 1;
      try {
        yield* pieces(signal, request);
      } finally {
        open.streams -= 1;
      }
    };
  const waiting = counted(async function* (signal) {
    yield { n: 1 };
    await wait(2 ** 31 - 1, signal);
  });
  return {
    tick: counted(async function* (signal) {
      for (let n = 1; ; n += 1) {
        yield { n };
        await wait(2, signal);
      }
    }),
    wait: waiting,
    waitLong: waiting,
    // Not counted, because it never ends.
    async *stay() {
      yield { n: 1 };
      await new Promise(() => {});
    },
    follow: counted(async function* (signal, { after }) {
      for (let n = Number(after ?? 0) + 1; n <= 10; n += 1) {
        yield { n };
        if (n === 3) await wait(2 ** 31 - 1, signal);
      }
    }),
    async *count() {
      for (let n = 1; n <= 10; n += 1) yield { n };
    },
    read: () => ({ file: new Blob([new Uint8Array(10_000)]) }),
    flood: counted(async function* () {
      for (;;) yield { text: "x".repeat(10_000) };
    }),
    download: () => ({ file: createFile(open) }),
  };
}

const pieceBytes = 50_000;
const pieceCount = 1000;

function createFile(open: Open): object {
  const stream = (): ReadableStream<Uint8Array> => {
    let sent = 0;
    open.streams += 1;
    return new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(pieceBytes));
        sent += 1;
        if (sent < pieceCount) return;
        controller.close();
        open.streams -= 1;
      },
      cancel() {
        open.streams -= 1;
      },
    });
  };
  return {
    type: "application/octet-stream",
    size: pieceBytes * pieceCount,
    stream,
  };
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
}

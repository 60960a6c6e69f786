import { getEventListeners } from "node:events";
import { toFetch } from "../../runtime/server/fetch.js";
import type {
  RpcServer,
  ServerOptions,
  ServerRequest,
  ServerResponse,
} from "../../runtime/server/server.js";

/** How many of each kind are open. */
export interface OpenThings {
  /** Requests without an answer. */
  readonly requests: number;
  /** Bodies of answers that are neither at their end nor cancelled. */
  readonly answers: number;
  /** Bodies of requests that somebody began to read, and neither ended nor left. */
  readonly bodies: number;
  /** Listeners on signals of requests, but for those of the host. */
  readonly listeners: number;
  /** Timers that the program waits for, beyond those of before. */
  readonly timers: number;
}

/** Limits with which whatever does not give its place back is noticed at once. */
export const onePlace: ServerOptions = {
  maxConcurrent: 1,
  maxBodiesPerTenant: 1,
  tenant: () => "everybody",
};

/** What is to be left. */
export const nothing: OpenThings = {
  ...{ requests: 0, answers: 0, bodies: 0 },
  ...{ listeners: 0, timers: 0 },
};

type Body = NonNullable<ServerResponse["stream"]>;

/** A server, with a function that tells what it has open. */
export function watchServer(server: RpcServer): {
  readonly server: RpcServer;
  readonly open: () => OpenThings;
} {
  const timersBefore = timerCount();
  const counts = { requests: 0, answers: 0, bodies: 0 };
  /** How many listeners a host itself had when it gave the signal. */
  const signals = new Map<AbortSignal, number>();
  const watchAnswer = (body: Body): Body => {
    counts.answers += 1;
    let isOpen = true;
    const close = (): void => {
      if (isOpen) counts.answers -= 1;
      isOpen = false;
    };
    const next = async () => {
      try {
        const piece = await body.next();
        if (piece === null) close();
        return piece;
      } catch (error) {
        close();
        throw error;
      }
    };
    const cancel = (): void => {
      close();
      body.cancel();
    };
    return { next, cancel };
  };
  const watchRequest = (request: ServerRequest): ServerRequest => ({
    method: request.method,
    target: request.target,
    address: request.address ?? null,
    header: (name) => request.header(name),
    text: (limits) => request.text(limits),
    async *chunks(limits) {
      counts.bodies += 1;
      try {
        yield* request.chunks(limits);
      } finally {
        counts.bodies -= 1;
      }
    },
    signal: () => {
      const signal = request.signal();
      if (!signals.has(signal)) signals.set(signal, listenersOf(signal));
      return signal;
    },
  });
  const handle: RpcServer["handle"] = async (request) => {
    counts.requests += 1;
    const answer = await server.handle(watchRequest(request));
    counts.requests -= 1;
    const { stream } = answer;
    return stream === undefined
      ? answer
      : { ...answer, stream: watchAnswer(stream) };
  };
  const listenerCount = (): number => {
    let count = 0;
    for (const [signal, before] of signals) {
      count += Math.max(0, listenersOf(signal) - before);
    }
    return count;
  };
  return {
    server: { matches: server.matches, handle, fetch: toFetch(handle) },
    open: () => ({
      ...counts,
      listeners: listenerCount(),
      timers: Math.max(0, timerCount() - timersBefore),
    }),
  };
}

function listenersOf(signal: AbortSignal): number {
  return getEventListeners(signal, "abort").length;
}

function timerCount(): number {
  const resources = process.getActiveResourcesInfo();
  return resources.filter((name) => name === "Timeout").length;
}

import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { toFetch } from "../../../runtime/typescript/server/fetch.js";
import type {
  RpcServer,
  ServerOptions,
  ServerRequest,
  ServerResponse,
} from "../../../runtime/typescript/server/server.js";
import { countDescriptors, fileName } from "../count-descriptors.js";

/** The counts of open resources, by kind. */
export interface OpenResources {
  /** Requests without a response. */
  readonly requests: number;
  /** Response bodies that have neither ended nor been canceled. */
  readonly answers: number;
  /**
   * Request bodies that were partly read and have neither ended nor been
   * canceled.
   */
  readonly bodies: number;
  /** Listeners on request signals, except those of the host. */
  readonly listeners: number;
  /** New timers that keep the process alive. */
  readonly timers: number;
  /** New connection endpoints, except one kept-alive connection. */
  readonly sockets: number;
  /** New regular files, if the system reports them. */
  readonly files: number;
}

/** Limits that would be exceeded if a request did not release its slot. */
export const onePlace: ServerOptions = {
  maxConcurrent: 1,
  maxBodiesPerTenant: 1,
  tenant: () => "everybody",
};

/** The expected counts: no resources remain open. */
const nothing: OpenResources = {
  ...{ requests: 0, answers: 0, bodies: 0 },
  ...{ listeners: 0, timers: 0, sockets: 0, files: 0 },
};

type Body = NonNullable<ServerResponse["stream"]>;

/** Returns the server and a function that counts its open resources. */
export function watchServer(server: RpcServer): {
  readonly server: RpcServer;
  readonly open: () => OpenResources;
} {
  const timersBefore = resourceCount("Timeout");
  const socketsBefore = resourceCount("TCPSocketWrap");
  const filesBefore = countDescriptors(fileName);
  const counts = { requests: 0, answers: 0, bodies: 0 };
  /**
   * The number of listeners that a host added before it passed on the signal.
   */
  const signals = new Map<AbortSignal, number>();
  const watchAnswer = (body: Body): Body => {
    counts.answers += 1;
    let isOpen = true;
    const close = (): void => {
      if (isOpen) counts.answers -= 1;
      isOpen = false;
    };
    const take: Body["take"] = (wake) => {
      try {
        const piece = body.take(wake);
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
    return { take, cancel };
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
      timers: Math.max(0, resourceCount("Timeout") - timersBefore),
      sockets: Math.max(
        0,
        resourceCount("TCPSocketWrap") - socketsBefore - keptSockets,
      ),
      files: Math.max(0, countDescriptors(fileName) - filesBefore),
    }),
  };
}

function listenersOf(signal: AbortSignal): number {
  return getEventListeners(signal, "abort").length;
}

/**
 * Both endpoints of the connection that a client keeps for its next request.
 */
const keptSockets = 2;

function resourceCount(name: string): number {
  const resources = process.getActiveResourcesInfo();
  return resources.filter((each) => each === name).length;
}

/**
 * Waits until nothing is open. `expect.poll` cannot do this, because its own
 * timer would count as open.
 */
export async function expectNothing(open: () => OpenResources): Promise<void> {
  for (let tries = 0; tries < 1000; tries += 1) {
    if (isDeepStrictEqual(open(), nothing)) return;
    await sleep(10);
  }
  expect(open()).toEqual(nothing);
}

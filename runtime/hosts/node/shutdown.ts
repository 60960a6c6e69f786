import type { NodeRequest, NodeResponse } from "./messages.js";

/** What is used of a server of `node:http`, `node:https` and `node:http2`. */
export interface ClosableServer {
  close(callback: () => void): unknown;
  /** Absent for HTTP/2, which has sessions instead. */
  closeIdleConnections?(): void;
  closeAllConnections?(): void;
  prependListener?(
    event: "request",
    listener: (request: NodeRequest, response: NodeResponse) => void,
  ): unknown;
}

/** What is used of a session of `node:http2`. */
export interface ClosableSession {
  /** Lets its streams end. May be called again. */
  close(): void;
  destroy(): void;
  once(event: "close", listener: () => void): unknown;
}

/** How long a server may take to close, and what it has open. */
export interface ShutdownOptions {
  /** For requests that are running, in milliseconds; 10,000 unless given. */
  readonly graceMs?: number;
  /**
   * How long idle HTTP/1 connections stay open, in milliseconds; 500 unless
   * given. The answer to a request that arrives in this time tells the client to
   * close the connection. An idle connection that is closed at once loses the
   * request that is already on its way.
   */
  readonly idleMs?: number;
  /** Of HTTP/2: what {@link trackSessions} gives, which is looked at again. */
  readonly sessions?: Iterable<ClosableSession>;
}

/** How often connections are closed that have become idle, or begun. */
const sweepMs = 25;

/**
 * Closes a server of node. It takes no new connections. Requests on open
 * connections are answered, with `Connection: close` (RFC 9112, section 9.6).
 * Idle connections are closed after `idleMs`. What is still running after
 * `graceMs` is cut off, which aborts the signal of its handler.
 *
 * Output: whether everything has ended by itself.
 */
export function closeGracefully(
  server: ClosableServer,
  { graceMs = 10_000, idleMs = 500, sessions = [] }: ShutdownOptions = {},
): Promise<boolean> {
  return new Promise((resolve) => {
    let isCutOff = false;
    const idleUntil = performance.now() + idleMs;
    const sweep = (): void => {
      if (performance.now() >= idleUntil) server.closeIdleConnections?.();
      // Those too that only now begin, on connections that were there before.
      for (const session of sessions) {
        if (isCutOff) session.destroy();
        else session.close();
      }
    };
    const sweeping = setInterval(sweep, sweepMs);
    const cutOff = setTimeout(() => {
      isCutOff = true;
      server.closeAllConnections?.();
      sweep();
    }, graceMs);
    server.prependListener?.("request", announceClose);
    // Also called when the server was not running at all.
    closeListener(server, () => {
      clearInterval(sweeping);
      clearTimeout(cutOff);
      resolve(!isCutOff);
    });
    sweep();
  });
}

/** Before any framework answers; HTTP/2 has no such header. */
function announceClose(request: NodeRequest, response: NodeResponse): void {
  if (request.httpVersionMajor < 2) response.setHeader("connection", "close");
}

/** Stops listening. Node would close idle connections at once. */
function closeListener(server: ClosableServer, onClose: () => void): void {
  const isShadowed = server.closeIdleConnections !== undefined;
  if (isShadowed) server.closeIdleConnections = () => {};
  server.close(onClose);
  // The method of the class comes to light again.
  if (isShadowed) Reflect.deleteProperty(server, "closeIdleConnections");
}

/**
 * The sessions that an HTTP/2 server has open, which it does not tell itself.
 * Call it before the server listens.
 */
export function trackSessions(server: {
  on(event: "session", listener: (session: ClosableSession) => void): unknown;
}): ReadonlySet<ClosableSession> {
  const sessions = new Set<ClosableSession>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  return sessions;
}

import type { NodeRequest, NodeResponse } from "./messages.js";

/**
 * The part of a `node:http`, `node:https`, or `node:http2` server that this
 * module uses.
 */
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

/** The part of a `node:http2` session that this module uses. */
export interface ClosableSession {
  /** Closes the session once open streams have ended. Can be called again. */
  close(): void;
  destroy(): void;
  once(event: "close", listener: () => void): unknown;
}

/** Options for {@link closeGracefully}. */
export interface ShutdownOptions {
  /** Milliseconds after which running requests are cut off. Default: 10,000. */
  readonly graceMs?: number;
  /**
   * Milliseconds that idle HTTP/1 connections stay open. Closing them at once
   * would lose requests that clients have already sent. During this time,
   * responses tell clients to close the connection. Default: 500.
   */
  readonly idleMs?: number;
  /** HTTP/2 sessions, as returned by {@link trackSessions}. */
  readonly sessions?: Iterable<ClosableSession>;
}

/** Interval at which idle connections are closed, in milliseconds. */
const sweepMs = 25;

/**
 * Closes a Node server. The server accepts no new connections. Requests on open
 * HTTP/1 connections get responses with `Connection: close` (RFC 9112, section
 * 9.6). Idle connections are closed after `idleMs`. Requests that are still
 * running after `graceMs` are cut off, and the signals of their handlers abort.
 *
 * Upgraded connections, e.g. WebSockets, and HTTP/2 sessions that are not in
 * `sessions` stay open, so exit the process afterwards.
 *
 * Returns whether everything ended in time, at the latest after `graceMs`.
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
      // This includes new sessions that start on existing connections.
      for (const session of sessions) {
        if (isCutOff) session.destroy();
        else session.close();
      }
    };
    const sweeping = setInterval(sweep, sweepMs);
    const end = (): void => {
      clearInterval(sweeping);
      clearTimeout(cutOff);
      resolve(!isCutOff);
    };
    const cutOff = setTimeout(() => {
      isCutOff = true;
      server.closeAllConnections?.();
      sweep();
      // Node lists neither upgraded connections nor HTTP/2 sessions.
      setTimeout(end, sweepMs);
    }, graceMs);
    server.prependListener?.("request", announceClose);
    // Node also calls this if the server was not running.
    closeListener(server, end);
    sweep();
  });
}

/**
 * Asks the client to close the connection, before any framework responds.
 * HTTP/2 has no such header.
 */
function announceClose(request: NodeRequest, response: NodeResponse): void {
  if (request.httpVersionMajor < 2) response.setHeader("connection", "close");
}

/** Stops listening, but keeps idle connections open, which Node would close. */
function closeListener(server: ClosableServer, onClose: () => void): void {
  const isShadowed = server.closeIdleConnections !== undefined;
  if (isShadowed) server.closeIdleConnections = () => {};
  server.close(onClose);
  // This restores the method of the class.
  if (isShadowed) Reflect.deleteProperty(server, "closeIdleConnections");
}

/**
 * Returns the open sessions of an HTTP/2 server and their connections, because
 * Node does not list them. Call it before the server listens.
 */
export function trackSessions(server: {
  on(event: "session", listener: (session: ClosableSession) => void): unknown;
  on(
    event: "connection",
    listener: (socket: Omit<ClosableSession, "close">) => void,
  ): unknown;
}): ReadonlySet<ClosableSession> {
  const sessions = new Set<ClosableSession>();
  const track = (session: ClosableSession): void => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  };
  server.on("session", track);
  // A session that is closed leaves its connection to the client, which may not
  // close it.
  server.on("connection", (socket) =>
    track({
      close() {},
      destroy: () => socket.destroy(),
      once: (event, listener) => socket.once(event, listener),
    }),
  );
  return sessions;
}

/** What is used of a server of `node:http`, `node:https` and `node:http2`. */
export interface ClosableServer {
  close(callback: () => void): unknown;
  /** Not there for HTTP/2, which has sessions instead. */
  closeIdleConnections?(): void;
  closeAllConnections?(): void;
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
  /** Of HTTP/2: what {@link trackSessions} gives, which is looked at again. */
  readonly sessions?: Iterable<ClosableSession>;
}

/** How often connections are closed that have become idle, or begun. */
const sweepMs = 25;

/**
 * Closes a server of node: it takes no new connections, running requests are
 * answered, idle connections are closed. What is still running after `graceMs`
 * is cut off, which aborts the signal of its handler.
 *
 * Output: whether everything has ended by itself.
 */
export function closeGracefully(
  server: ClosableServer,
  { graceMs = 10_000, sessions = [] }: ShutdownOptions = {},
): Promise<boolean> {
  return new Promise((resolve) => {
    let isCutOff = false;
    const sweep = (): void => {
      server.closeIdleConnections?.();
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
    // Also when it was not running at all.
    server.close(() => {
      clearInterval(sweeping);
      clearTimeout(cutOff);
      resolve(!isCutOff);
    });
    sweep();
  });
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

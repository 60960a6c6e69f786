import { Agent, request as requestOver1 } from "node:http";
import { connect, type ClientHttp2Session } from "node:http2";
import { connect as connectSocket } from "node:net";
import type { Readable } from "node:stream";
import { endParameter } from "../../../runtime/typescript/wire/stream-end.js";

/** A request to a host. */
export interface Call {
  /** The service and the method, such as `Work/Ping`. */
  readonly method: string;
  readonly fields?: object;
  /** Replaces the fields. */
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the rest of the body is never sent. */
  readonly isUnfinished?: boolean;
  /** The address of the client. Default: 127.0.0.1. */
  readonly from?: string;
}

/** The start of a response. */
export interface Opened {
  readonly status: number;
  /** The body. Nothing reads it yet. */
  readonly body: Readable;
}

/** A request that has been sent. */
export interface Begun {
  /** Rejects if there is no response. */
  readonly opened: Promise<Opened>;
  /** Closes the connection. */
  readonly leave: () => void;
}

/** A client of a host. */
export interface Caller {
  /** Sends a request on a connection of its own. */
  readonly begin: (call: Call) => Begun;
  /**
   * Sends a request on the one connection that all of these requests share.
   * Returns the status and the text of the response.
   */
  readonly send: (call: Call) => Promise<readonly [number, string]>;
  /** Closes all connections of `begin`. */
  readonly leave: () => void;
  /** Closes all connections. */
  readonly close: () => void;
}

/**
 * Creates a client for a local port, which repeats requests of `send` whose
 * connection was closed.
 */
export function createCaller(
  port: number,
  isHttp2: boolean,
  repeats = 0,
): Caller {
  const shared = isHttp2 ? connectHttp2(port) : connectHttp1(port);
  const begun = new Set<Begun>();
  const leave = (): void => {
    for (const each of begun) each.leave();
    begun.clear();
  };
  return {
    begin(call) {
      const own = isHttp2 ? connectHttp2(port) : connectHttp1(port);
      const opened = own.begin(call);
      // Whoever waits for the response gets the error, too.
      opened.catch(() => undefined);
      const one = { opened, leave: own.close };
      begun.add(one);
      return one;
    },
    async send(call) {
      for (let left = repeats; ; left--) {
        try {
          const { body, status } = await shared.begin(call);
          return [status, await textOf(body)];
        } catch (error) {
          if (left <= 0 || !isClosed(error)) throw error;
        }
      }
    },
    leave,
    close() {
      leave();
      shared.close();
    },
  };
}

function isClosed(error: unknown): boolean {
  return ["ECONNRESET", "EPIPE"].includes(Object(error).code);
}

interface Connection {
  readonly begin: (call: Call) => Promise<Opened>;
  readonly close: () => void;
}

/** Over HTTP/1.0, streams need an end that the client asks for. */
const json = {
  "content-type": "application/json",
  accept: `application/x-ndjson${endParameter}, */*`,
};

function bodyOf({ body, fields = {} }: Call): Uint8Array {
  return body ?? new TextEncoder().encode(JSON.stringify(fields));
}

/** A body that is left without being read may break off at any time. */
function ignoreErrors(body: Readable): Readable {
  return body.on("error", () => undefined);
}

function connectHttp1(port: number): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const begin = (call: Call): Promise<Opened> =>
    new Promise((resolve, reject) => {
      const body = bodyOf(call);
      const sent = requestOver1({
        ...{ agent, host: "127.0.0.1", port, localAddress: call.from },
        ...{ method: "POST", path: `/rpc/${call.method}` },
        headers: {
          ...json,
          "content-length": body.length + (call.isUnfinished ? 1 : 0),
          ...call.headers,
        },
      });
      sent.on("error", reject);
      sent.on("response", (response) => {
        const { statusCode = 0 } = response;
        resolve({ status: statusCode, body: ignoreErrors(response) });
      });
      if (call.isUnfinished) sent.write(body);
      else sent.end(body);
    });
  return { begin, close: () => agent.destroy() };
}

function connectHttp2(port: number): Connection {
  let session: ClientHttp2Session | null = null;
  const connected = (localAddress?: string): ClientHttp2Session => {
    if (session === null || session.closed || session.destroyed) {
      session = connect(`http://127.0.0.1:${String(port)}`, {
        // By default, a Node client refuses to send more than 10 MB at a time.
        maxSessionMemory: 100,
        createConnection: () =>
          connectSocket({ port, host: "127.0.0.1", localAddress }),
      });
      session.on("error", () => undefined);
    }
    return session;
  };
  const begin = (call: Call): Promise<Opened> =>
    new Promise((resolve, reject) => {
      const stream = connected(call.from).request({
        ...{ ":method": "POST", ":path": `/rpc/${call.method}` },
        ...json,
        ...call.headers,
      });
      stream.on("error", reject);
      stream.on("close", () => reject(new Error("there is no response")));
      stream.on("response", (headers) => {
        resolve({ status: Number(headers[":status"]), body: stream });
      });
      if (call.isUnfinished) stream.write(bodyOf(call));
      else stream.end(bodyOf(call));
    });
  return { begin, close: () => session?.destroy() };
}

async function textOf(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

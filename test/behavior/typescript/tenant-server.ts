import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect, type Socket } from "node:net";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import type { ServerOptions } from "../../../runtime/typescript/server/server.js";
import { listen } from "../../support/listen.js";
import { plainRow, sampleErrors } from "./sample-server.js";

/** A server that identifies tenants by a key, and its clients. */
export interface TenantServer {
  /** Calls a method, by default `answer`, and returns the status. */
  readonly call: (key: string, method?: string) => Promise<number>;
  /** Opens connections that send a head and one byte of the body. */
  readonly openSlow: (
    key: string,
    count: number,
    ...headers: readonly string[]
  ) => Promise<readonly Socket[]>;
  /** Returns the number of calls to `wait` that are running. */
  readonly waitingCount: () => number;
  /** Ends all calls to `wait`. */
  readonly release: () => void;
  readonly close: () => Promise<void>;
}

const row = {
  ...plainRow,
  service: "API",
  credentials: [
    {
      header: "X-Key",
      scheme: null,
      error: sampleErrors.Geoblocked,
      verify: "verifyKey",
    },
  ],
} as const;

/**
 * Starts a server with one method that answers immediately, one that blocks the
 * event loop for 2 ms, and one that waits.
 */
export async function startTenantServer(
  options: ServerOptions,
): Promise<TenantServer> {
  let release = (): void => undefined;
  let waitingCount = 0;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const wait = async (): Promise<void> => {
    waitingCount += 1;
    await isReleased;
  };
  const busy = (): object => {
    const end = performance.now() + 2;
    while (performance.now() < end);
    return {};
  };
  const handlers = { api: { answer: () => ({}), busy, wait } };
  const all = { ...options, verifyKey: () => true, handlers };
  const server = createServer(all, [
    {
      ...row,
      name: "Answer",
      handler: ["api", "answer"],
      route: { kind: "rpc", path: "/answer" },
    },
    {
      ...row,
      name: "Busy",
      handler: ["api", "busy"],
      route: { kind: "rpc", path: "/busy" },
    },
    {
      ...row,
      name: "Wait",
      handler: ["api", "wait"],
      route: { kind: "rpc", path: "/wait" },
    },
  ]);
  const http = createHttpServer(toNodeHandler(server));
  const { port, url, close } = await listen(http);
  return {
    call: async (key, method = "answer") => {
      const headers = { "content-type": "application/json", "x-key": key };
      const init = { method: "POST", headers, body: "{}" };
      const answer = await fetch(`${url}/${method}`, init);
      await answer.text();
      return answer.status;
    },
    openSlow: (key, count, ...headers) =>
      Promise.all(
        Array.from({ length: count }, () => openSlow(port, key, headers)),
      ),
    waitingCount: () => waitingCount,
    release,
    close,
  };
}

async function openSlow(
  port: number,
  key: string,
  headers: readonly string[],
): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  // The server may cut off these connections.
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const head = [
    "POST /answer HTTP/1.1",
    "Host: x",
    "Content-Type: application/json",
    "Content-Length: 100",
    `X-Key: ${key}`,
    ...headers,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n{`);
  return socket;
}

import { createServer } from "node:http";

import { toNodeHandler } from "@ridlkit/runtime/node";
import type { RpcServer } from "@ridlkit/runtime/server";
import { closeGracefully } from "@ridlkit/runtime/shutdown";

import { acceptFirst } from "./accept-first.js";
import { noteClientAddress } from "./client-address.js";
import { answerOperations, type Operations } from "./operations.js";
import { giveRequestId } from "./request-id.js";

/** A host that is listening. */
export interface RunningHost {
  /** E.g. `http://127.0.0.1:4242`. */
  readonly baseUrl: string;
  /** Answers what is running, takes no more, and is over. */
  close(graceMs: number): Promise<void>;
}

/** Where to listen; port 0 is any that is free. */
export interface HostOptions {
  readonly host: string;
  readonly port: number;
  /** In which a proxy in front tells the address of the client; null: none. */
  readonly proxyHeader: string | null;
}

/**
 * So many connections may come at once, if the system lets them: whom it turns
 * away tries again after one second, then after three, then after seven.
 */
const backlog = 4096;

/**
 * Serves the platform by HTTP.
 *
 * Errors: rejects when the port is taken.
 */
export async function serve(
  rpc: RpcServer,
  operations: Omit<Operations, "isStopping">,
  { host, port, proxyHeader }: HostOptions,
): Promise<RunningHost> {
  let isStopping = false;
  const all = { ...operations, isStopping: () => isStopping };
  const answerCall = toNodeHandler(rpc);
  const server = createServer();
  const start = acceptFirst(server);
  server.on("request", (request, response) => {
    giveRequestId(request, response);
    noteClientAddress(request, proxyHeader);
    // Connections that stay open would have to be waited for.
    if (isStopping) response.setHeader("connection", "close");
    if (answerOperations(all, request, response)) return;
    start(() => {
      if (!response.destroyed) answerCall(request, response);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog }, resolve);
  });
  const bound = server.address();
  const boundPort = typeof bound === "object" ? bound?.port : port;
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    baseUrl: `http://${name}:${boundPort}`,
    close: async (graceMs) => {
      isStopping = true;
      await closeGracefully(server, { graceMs });
    },
  };
}

import { createServer } from "node:http";

import { toNodeHandler } from "ridlkit/runtime/node";
import type { RpcServer } from "ridlkit/runtime/server";
import { closeGracefully } from "ridlkit/runtime/shutdown";

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
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves the platform by HTTP.
 *
 * Errors: rejects when the port is taken.
 */
export async function serve(
  rpc: RpcServer,
  operations: Omit<Operations, "isStopping">,
  address: ListenAddress,
): Promise<RunningHost> {
  let isStopping = false;
  const all = { ...operations, isStopping: () => isStopping };
  const answerCall = toNodeHandler(rpc);
  const server = createServer((request, response) => {
    giveRequestId(request, response);
    // Connections that stay open would have to be waited for.
    if (isStopping) response.setHeader("connection", "close");
    if (answerOperations(all, request, response)) return;
    answerCall(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address.port, address.host, resolve);
  });
  const bound = server.address();
  const port = typeof bound === "object" ? bound?.port : address.port;
  const name = address.host.includes(":") ? `[${address.host}]` : address.host;
  return {
    baseUrl: `http://${name}:${port}`,
    close: async (graceMs) => {
      isStopping = true;
      await closeGracefully(server, { graceMs });
    },
  };
}

import { createServer } from "node:http";

import type { Registry } from "prom-client";
import { toNodeHandler } from "@ridlkit/runtime/node";
import type { RpcServer } from "@ridlkit/runtime/server";
import { closeGracefully } from "@ridlkit/runtime/shutdown";

import type { Settings } from "../settings/read-settings.js";
import { acceptFirst } from "./accept-first.js";
import { noteClientAddress } from "./client-address.js";
import { createHostCheck } from "./host-check.js";
import {
  answerMetrics,
  createAnswerOperations,
  type Operations,
} from "./operations.js";
import { listen } from "./listen.js";
import { assignRequestId } from "./request-id.js";

/** A host that is listening. */
export interface RunningHost {
  /** The base URL, e.g. `http://127.0.0.1:4242`. */
  readonly baseUrl: string;
  /** The URL of the Prometheus metrics. */
  readonly metricsUrl: string;
  /**
   * Reports that the host is not ready, so that load balancers stop sending
   * requests. Requests are still handled.
   */
  drain(): void;
  /** Stops accepting requests, and waits for running ones to finish. */
  close(graceMs: number): Promise<void>;
}

/** The settings for listening. */
export type HostOptions = Pick<
  Settings,
  "host" | "port" | "metricsHost" | "metricsPort" | "proxyHeader"
>;

/**
 * Serves the platform over HTTP.
 *
 * Errors: rejects if it cannot listen, e.g. if one of the ports is taken.
 */
export async function serve(
  rpc: RpcServer,
  operations: Omit<Operations, "isStopping">,
  registry: Registry,
  { host, port, proxyHeader, ...metrics }: HostOptions,
): Promise<RunningHost> {
  let isStopping = false;
  const answerOperations = createAnswerOperations({
    ...operations,
    isStopping: () => isStopping,
  });
  const answerCall = toNodeHandler(rpc);
  // Proxies keep idle connections for up to a minute, and would send a call on one
  // that is closed at that moment.
  const server = createServer({ keepAliveTimeout: 75_000 });
  const start = acceptFirst(server);
  server.on("request", (request, response) => {
    assignRequestId(request, response);
    noteClientAddress(request, proxyHeader);
    // Otherwise, shutdown would have to wait for connections that stay open.
    if (isStopping) response.setHeader("connection", "close");
    if (answerOperations(request, response)) return;
    start(() => {
      if (!response.destroyed) answerCall(request, response);
    });
  });
  const isOwnHost = createHostCheck([metrics.metricsHost]);
  const metricsServer = createServer((request, response) => {
    answerMetrics(registry, isOwnHost, request, response);
  });
  const baseUrl = await listen(server, host, port);
  const metricsUrl = await listen(
    metricsServer,
    metrics.metricsHost,
    metrics.metricsPort,
  );
  return {
    baseUrl,
    metricsUrl: `${metricsUrl}/metrics`,
    drain: () => {
      isStopping = true;
    },
    close: async (graceMs) => {
      isStopping = true;
      await closeGracefully(server, { graceMs });
      metricsServer.closeAllConnections();
      metricsServer.close();
    },
  };
}

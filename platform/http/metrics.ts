import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
} from "prom-client";
import type { Outcome } from "@ridlkit/runtime/server";

import type { DatabasePool } from "../database/pool.js";
import type { Networks } from "../network/networks.js";

/** The platform's metrics, in Prometheus format. */
export interface Metrics {
  readonly registry: Registry;
  /** Counts a completed request and records its duration. */
  count(call: CountedCall, outcome: Outcome): void;
  /** Adds a change to the number of queued requests. */
  readonly countWaiting: (change: 1 | -1) => void;
}

/** The method that a request called. Parts that are unknown are empty. */
export interface CountedCall {
  readonly service: string;
  readonly method: string;
  /** The handle of the network that the call refers to. */
  readonly network: string;
}

/** Creates metrics for the process, its dependencies, and its calls. */
export function createMetrics(
  pool: Pick<DatabasePool, "count">,
  networks: Pick<Networks, "all">,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "rpc_requests_total",
    help: "Number of requests that got a response.",
    labelNames: ["service", "method", "status", "error", "network"],
    registers,
  });
  const seconds = new Histogram({
    name: "rpc_request_duration_seconds",
    help: "Time from the start of a request to the response, including time in the queue. A request starts once pending connections are accepted.",
    labelNames: ["service", "method"],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers,
  });
  const waiting = new Gauge({
    name: "rpc_requests_waiting",
    help: "Requests in the queue.",
    registers,
  });
  const connections = new Gauge({
    name: "database_connections",
    help: "Database connections, and requests that are waiting for one.",
    labelNames: ["state"],
    registers,
    collect: () => {
      for (const [state, count] of Object.entries(pool.count())) {
        connections.set({ state }, count);
      }
    },
  });
  const silent = new Gauge({
    name: "network_silent",
    help: "Whether a chain does not respond, so that requests fail immediately.",
    labelNames: ["network"],
    registers,
    collect: () => {
      for (const { circuit, handle } of networks.all) {
        silent.set({ network: handle }, Number(circuit.isOpen));
      }
    },
  });
  return {
    registry,
    countWaiting: (change) => waiting.inc(change),
    count: ({ service, method, network }, { status, error, durationMs }) => {
      requests.inc({ service, method, status, error: error ?? "", network });
      seconds.observe({ service, method }, durationMs / 1000);
    },
  };
}

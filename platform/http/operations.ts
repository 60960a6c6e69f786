import type { IncomingMessage, ServerResponse } from "node:http";

import { sql } from "kysely";
import type { Registry } from "prom-client";

import { readClockOffset } from "../database/clock-offset.js";
import { requireWritableSql } from "../database/require-writable.js";
import type { Database } from "../database/schema.js";
import { hasSingleSource, type Networks } from "../network/networks.js";
import { shareNextAnswer } from "../process/concurrency/share-next-answer.js";
import type { Settings } from "../settings/read-settings.js";

/** Dependencies of the health checks. */
export interface Operations {
  readonly database: Database;
  readonly networks: Pick<Networks, "all">;
  readonly settings: Pick<Settings, "embeddedChain" | "relayKey">;
  /** Whether the platform is shutting down. */
  readonly isStopping: () => boolean;
}

/**
 * Creates a function that handles GET of `/healthz` and `/readyz`. Otherwise, it
 * returns false. Anyone can send any number of these requests, so they share the
 * reads of the database, which have no limit.
 */
export function createAnswerOperations(
  operations: Operations,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { database } = operations;
  const readOffset = shareNextAnswer(() => readOffsetMs(database));
  return (request, response) => {
    const path = (request.url ?? "").replace(/\?.*$/u, "");
    const answer = answers[path];
    if (answer === undefined || request.method !== "GET") return false;
    answer(operations, () => readOffset("offset")).then(
      ({ status, facts }) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(facts));
      },
      () => response.destroy(),
    );
    return true;
  };
}

/**
 * Returns the difference between the clocks of this instance and the database, or
 * null if the database does not respond or is read-only.
 */
async function readOffsetMs(database: Database): Promise<number | null> {
  const checking = sql.raw(requireWritableSql).execute(database);
  return checking.then(() => readClockOffset(database)).catch(() => null);
}

/**
 * Serves `/metrics` in Prometheus format.
 *
 * Input: `isOwnHost` checks the `Host` header.
 */
export function answerMetrics(
  registry: Registry,
  isOwnHost: (host: string | undefined) => boolean,
  { headers, url }: IncomingMessage,
  response: ServerResponse,
): void {
  // Only browsers send these headers. A page could make its own host name resolve
  // to this address (DNS rebinding). Then, browsers leave out the first header.
  const site = headers["sec-fetch-site"] ?? "none";
  const isBrowser = headers["accept-language"] !== undefined;
  if (site !== "none" || (isBrowser && !isOwnHost(headers.host))) {
    response.writeHead(403).end();
    return;
  }
  if (url !== "/metrics") {
    response.writeHead(404).end();
    return;
  }
  registry.metrics().then(
    (text) => {
      response.setHeader("content-type", registry.contentType);
      response.end(text);
    },
    () => response.destroy(),
  );
}

/** The difference between two clocks from which it is reported. */
const maxOffsetMs = 30_000;

interface OperationsResponse {
  readonly status: number;
  readonly facts: Readonly<Record<string, unknown>>;
}

type Answer = (
  operations: Operations,
  readOffset: () => Promise<number | null>,
) => Promise<OperationsResponse>;

const answers: Readonly<Record<string, Answer | undefined>> = {
  "/healthz": () => Promise.resolve(toAnswer(200, "alive")),
  "/readyz": async ({ isStopping, networks, settings }, readOffset) => {
    if (isStopping()) return toAnswer(503, "stopping");
    const offsetMs = await readOffset();
    if (offsetMs === null) return toAnswer(503, "no database");
    const silent = networks.all
      .filter(({ circuit }) => circuit.isOpen)
      .map(({ handle }) => handle);
    // The other networks still work, so the platform is ready.
    const single = networks.all
      .filter((network) => hasSingleSource(network, settings))
      .map(({ handle }) => handle);
    const isClockWrong = Math.abs(offsetMs) >= maxOffsetMs;
    const facts = {
      ...(isClockWrong && { clockOffsetSeconds: offsetMs / 1000 }),
      ...(silent.length > 0 && { silentNetworks: silent }),
      ...(single.length > 0 && { singleSourceNetworks: single }),
    };
    return toAnswer(200, "ready", facts);
  },
};

function toAnswer(
  status: number,
  text: string,
  facts = {},
): OperationsResponse {
  return { status, facts: { status: text, ...facts } };
}

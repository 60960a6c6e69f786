import type { IncomingMessage, ServerResponse } from "node:http";

import { type Kysely, sql } from "kysely";

import type { Tables } from "../database/schema.js";
import type { Metrics } from "./metrics.js";

/** What those who operate the platform ask. */
export interface Operations {
  readonly database: Kysely<Tables>;
  readonly metrics: Metrics;
  /** Whether the platform is about to stop. */
  readonly isStopping: () => boolean;
}

/** Answers `/healthz`, `/readyz` and `/metrics`; false for other paths. */
export function answerOperations(
  operations: Operations,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const path = (request.url ?? "").replace(/\?.*$/u, "");
  const answer = answers[path];
  if (answer === undefined || request.method !== "GET") return false;
  answer(operations).then(
    ({ status, type = "application/json", body }) => {
      response.writeHead(status, { "content-type": type });
      response.end(body);
    },
    () => response.destroy(),
  );
  return true;
}

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

const answers: Readonly<
  Record<string, ((operations: Operations) => Promise<Answer>) | undefined>
> = {
  "/healthz": () => Promise.resolve(statusAnswer(200, "alive")),
  "/readyz": async (operations) => {
    if (operations.isStopping()) return statusAnswer(503, "stopping");
    return (await isDatabaseThere(operations.database))
      ? statusAnswer(200, "ready")
      : statusAnswer(503, "no database");
  },
  "/metrics": async ({ metrics: { registry } }) => ({
    status: 200,
    type: registry.contentType,
    body: await registry.metrics(),
  }),
};

function statusAnswer(status: number, text: string): Answer {
  return { status, body: JSON.stringify({ status: text }) };
}

async function isDatabaseThere(database: Kysely<Tables>): Promise<boolean> {
  try {
    await sql`select 1`.execute(database);
    return true;
  } catch {
    return false;
  }
}

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import type { ServerRequest } from "@ridlkit/runtime/server";

const header = "x-request-id";

/**
 * Assigns a request an ID for finding it in logs, unless it already has a valid
 * one, e.g. from a load balancer. The response contains the same ID.
 */
export function assignRequestId(
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const received = request.headers[header];
  const isUsable =
    typeof received === "string" && /^[\w.:-]{1,100}$/u.test(received);
  const id = isUsable ? received : randomUUID();
  request.headers[header] = id;
  response.setHeader(header, id);
}

/** Returns the ID of a request. */
export function requestIdOf(
  request: Pick<ServerRequest, "header">,
): string | null {
  return request.header(header);
}

import { answerRequest } from "./answer-request.js";
import type { Handle } from "./model/exchange.js";

/** Returns a web-standard handler for a `handle` function. */
export function toFetch(
  handle: Handle,
): (request: Request, info?: unknown) => Promise<Response> {
  return (request, info) => answerRequest(handle, request, info, null);
}

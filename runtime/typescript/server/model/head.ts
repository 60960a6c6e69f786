import type { Handle, ServerResponse } from "./exchange.js";

/**
 * Removes the body from responses to HEAD, because some hosts would send it.
 */
export function withHead(handle: Handle): Handle {
  return (request) =>
    request.method === "HEAD"
      ? handle(request).then(withoutBody)
      : handle(request);
}

function withoutBody(answer: ServerResponse): ServerResponse {
  answer.stream?.cancel();
  return { status: answer.status, headers: answer.headers, body: "" };
}

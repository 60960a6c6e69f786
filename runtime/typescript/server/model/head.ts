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
  const { stream, ...head } = answer;
  stream?.cancel();
  return { ...head, body: "" };
}

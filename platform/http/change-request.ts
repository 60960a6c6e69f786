import type { ServerRequest } from "@ridlkit/runtime/server";

/** Returns a request with another target or other headers. */
export function changeRequest(
  request: ServerRequest,
  change: Partial<Pick<ServerRequest, "header" | "target">>,
): ServerRequest {
  return {
    method: request.method,
    target: request.target,
    address: request.address ?? null,
    header: (name) => request.header(name),
    text: (limits) => request.text(limits),
    chunks: (limits) => request.chunks(limits),
    signal: () => request.signal(),
    ...change,
  };
}

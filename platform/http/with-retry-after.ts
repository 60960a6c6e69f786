import { toFetch } from "@ridlkit/runtime/fetch";
import type { RpcServer } from "@ridlkit/runtime/server";

/**
 * Wraps a server so that it adds `Retry-After` to responses for clients that
 * exceed a rate limit or cannot be served at the moment.
 */
export function withRetryAfter(server: RpcServer, seconds: number): RpcServer {
  const handle: RpcServer["handle"] = async (request) => {
    const answer = await server.handle(request);
    if (answer.status !== 429 && answer.status !== 503) return answer;
    const headers = { "retry-after": String(seconds), ...answer.headers };
    return { ...answer, headers };
  };
  return { ...server, handle, fetch: toFetch(handle) };
}

import { toFetch } from "@ridlkit/runtime/fetch";
import type { RpcServer } from "@ridlkit/runtime/server";

/**
 * The same server, which tells those who call too often, or at a bad time, when
 * to come back.
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

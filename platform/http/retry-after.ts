import { toFetch } from "ridlkit/runtime/fetch";
import type { RpcServer } from "ridlkit/runtime/server";

/** The same server, which tells those who call too often when to come back. */
export function withRetryAfter(server: RpcServer, seconds: number): RpcServer {
  const handle: RpcServer["handle"] = async (request) => {
    const answer = await server.handle(request);
    if (answer.status !== 429) return answer;
    const headers = { ...answer.headers, "retry-after": String(seconds) };
    return { ...answer, headers };
  };
  return { ...server, handle, fetch: toFetch(handle) };
}

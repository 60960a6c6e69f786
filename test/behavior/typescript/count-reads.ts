import { toFetch } from "../../../runtime/typescript/server/fetch.js";
import type {
  RpcServer,
  ServerRequest,
} from "../../../runtime/typescript/server/server.js";

/** Returns the server and functions that count its reads of whole bodies. */
export function countReads(server: RpcServer): {
  readonly server: RpcServer;
  readonly startedCount: () => number;
  readonly pendingCount: () => number;
} {
  let startedCount = 0;
  let pendingCount = 0;
  const watch = (request: ServerRequest): ServerRequest => ({
    method: request.method,
    target: request.target,
    address: request.address ?? null,
    header: (name) => request.header(name),
    async text(limits, isExact) {
      startedCount += 1;
      pendingCount += 1;
      try {
        return await request.text(limits, isExact);
      } finally {
        pendingCount -= 1;
      }
    },
    chunks: (limits, isRaw) => request.chunks(limits, isRaw),
    signal: () => request.signal(),
  });
  const handle: RpcServer["handle"] = (request) =>
    server.handle(watch(request));
  return {
    server: { matches: server.matches, handle, fetch: toFetch(handle) },
    startedCount: () => startedCount,
    pendingCount: () => pendingCount,
  };
}

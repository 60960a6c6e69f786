import type { RpcServer } from "../server/model/exchange.js";
import { answerRequest } from "../server/fetch.js";

/** The part of a Hono context that the adapter uses. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request;
    arrayBuffer(): Promise<ArrayBuffer>;
  };
}

/**
 * Returns a handler for Hono 4: `app.all("/*", toHonoHandler(server))`. Paths
 * are relative to the root. For paths relative to a mount path, use
 * `app.mount("/path", server.fetch)`.
 */
export function toHonoHandler(
  server: RpcServer,
): (context: HonoContext) => Promise<Response> {
  // Hono caches a body that middleware has already read.
  return ({ req }) =>
    answerRequest(server.handle, req.raw, () => req.arrayBuffer());
}

import type { RpcServer } from "../server/model/exchange.js";
import { answerRequest } from "../server/fetch.js";

/** What is used of a Hono context. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request;
    arrayBuffer(): Promise<ArrayBuffer>;
  };
}

/**
 * A handler for Hono 4: `app.all("/*", toHonoHandler(server))`. Paths count from
 * the root; to have them count from a mount path, use
 * `app.mount("/path", server.fetch)`.
 */
export function toHonoHandler(
  server: RpcServer,
): (context: HonoContext) => Promise<Response> {
  // Hono keeps a body that a middleware has read.
  return ({ req }) =>
    answerRequest(server.handle, req.raw, () => req.arrayBuffer());
}

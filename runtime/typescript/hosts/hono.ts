import type { RpcServer } from "../server/model/exchange.js";
import { answerRequest } from "../server/answer-request.js";

/** The part of a Hono context that the adapter uses. */
export interface HonoContext {
  /** What the host passes in addition to the request. */
  readonly env?: unknown;
  readonly req: {
    readonly raw: Request;
    arrayBuffer(): Promise<ArrayBuffer>;
  };
  /** Creates a response with the headers that the program has set. */
  newResponse(body: null): Response;
}

/**
 * Returns a handler for Hono 4: `app.all("/*", toHonoHandler(server))`. Paths
 * are relative to the root. For paths relative to a mount path, use
 * `app.mount("/path", server.fetch)`.
 */
export function toHonoHandler(
  server: RpcServer,
): (context: HonoContext) => Promise<Response> {
  return async (context) => {
    const { req } = context;
    // Hono caches a body that middleware has already read.
    const { handle } = server;
    const response = await answerRequest(handle, req.raw, context.env, () =>
      req.arrayBuffer(),
    );
    // Hono ignores headers that were set before a handler returns a response of
    // its own.
    for (const [name, value] of context.newResponse(null).headers) {
      const isList = name === "set-cookie" || name === "vary";
      if (isList) response.headers.append(name, value);
      else if (!response.headers.has(name)) response.headers.set(name, value);
    }
    return response;
  };
}

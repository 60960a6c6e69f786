import type { RpcServer } from "../server/model/exchange.js";
import { answerRequest } from "../server/answer-request.js";
import { BodyReadError, refuseRounded } from "../server/requests/body.js";
import { memberOf } from "../values/member.js";

/** The part of a Hono context that the adapter uses. */
export interface HonoContext {
  /** What the host passes in addition to the request. */
  readonly env?: unknown;
  readonly req: {
    readonly raw: Request;
    /** What middleware has read, by the name of the method that read it. */
    readonly bodyCache?: object;
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
    const { handle } = server;
    const response = await answerRequest(handle, req.raw, context.env, () =>
      bytesReadBefore(req),
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

/**
 * Returns a body that middleware has already read, which Hono caches. From a form,
 * it would create a body with another boundary, or of another type.
 */
async function bytesReadBefore(req: HonoContext["req"]): Promise<ArrayBuffer> {
  const { bodyCache = {} } = req;
  const [first] = Object.keys(bodyCache);
  if (!("arrayBuffer" in bodyCache)) {
    if (first === "formData") throw new BodyReadError();
    // Versions before 4.8.4 cache what their parser returned.
    if (first === "json")
      JSON.stringify(await memberOf(bodyCache, first), refuseRounded);
  }
  return req.arrayBuffer();
}

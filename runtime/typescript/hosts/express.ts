import type { RpcServer } from "../server/model/exchange.js";
import { answerExchange } from "./node/answer-exchange.js";
import { NodeExchange } from "./node/exchange.js";
import type { NodeRequest, NodeResponse } from "./node/node.js";

/** Options for {@link toExpressHandler}. */
export interface ExpressOptions {
  /**
   * What to do if there is no method at a path. `answer` responds with 404
   * `WebrpcBadRoute`, and `next` calls the next handler. Default: `next`.
   */
  readonly unknownPaths?: "answer" | "next";
}

/** The part of an Express request that the adapter uses. */
export interface ExpressRequest extends NodeRequest {
  /** The request target, including the path where the handler is mounted. */
  readonly originalUrl?: string;
}

/**
 * Returns a handler for Express 5: `app.use(toExpressHandler(server))`. If the
 * handler is mounted at a path, the server's paths can be relative to that path
 * or to the root, so `app.use("/rpc", …)` also serves a contract whose base
 * path is `/rpc`. Mount the handler before `express.json()`, which would
 * consume the body.
 */
export function toExpressHandler(
  server: RpcServer,
  { unknownPaths = "next" }: ExpressOptions = {},
): (request: ExpressRequest, response: NodeResponse, next: () => void) => void {
  return (request, response, next) => {
    const { url = "/", originalUrl = url } = request;
    const target = [url, originalUrl].find((path) => server.matches(path));
    if (target === undefined && unknownPaths === "next") return next();
    const exchange = new NodeExchange(request, response, target);
    answerExchange(server, exchange, response);
  };
}

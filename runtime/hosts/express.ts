import type { RpcServer } from "../server/model/exchange.js";
import {
  answerExchange,
  NodeExchange,
  type NodeRequest,
  type NodeResponse,
} from "./node/node.js";

/** How the handler lives with the application's other routes. */
export interface ExpressOptions {
  /**
   * What happens to a path where no method answers: `answer` it with 404
   * `WebrpcBadRoute`, or leave it to the `next` handler. `next` unless given.
   */
  readonly unknownPaths?: "answer" | "next";
}

/** What is used of an Express request. */
export interface ExpressRequest extends NodeRequest {
  /** The target with the path where the handler is mounted. */
  readonly originalUrl?: string;
}

/**
 * A handler for Express 5: `app.use(toExpressHandler(server))`. Under a mount
 * path, paths count from there or from the root: `app.use("/rpc", …)` serves a
 * contract whose base path is `/rpc`, too. Mount it in front of `express.json()`,
 * which would consume the body.
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

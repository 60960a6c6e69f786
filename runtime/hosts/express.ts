import type { RpcServer } from "../server/model/exchange.js";
import {
  type NodeRequest,
  type NodeResponse,
  toNodeHandler,
} from "./node/node.js";

/** How the handler lives with the application's other routes. */
export interface ExpressOptions {
  /**
   * What happens to a path where no method answers: `answer` it with 404
   * `WebrpcBadRoute`, or leave it to the `next` handler. `answer` unless given.
   */
  readonly unknownPaths?: "answer" | "next";
}

/**
 * A handler for Express 5: `app.use(toExpressHandler(server))`. Under a mount
 * path, paths count from there. Mount it in front of `express.json()`, which
 * would eat the body.
 */
export function toExpressHandler(
  server: RpcServer,
  options: ExpressOptions = {},
): (request: NodeRequest, response: NodeResponse, next: () => void) => void {
  const answer = toNodeHandler(server);
  const leavesUnknown = options.unknownPaths === "next";
  return (request, response, next) => {
    if (leavesUnknown && !server.matches(request.url ?? "/")) next();
    else answer(request, response);
  };
}

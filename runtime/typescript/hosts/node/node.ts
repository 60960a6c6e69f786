import type { RpcServer } from "../../server/model/exchange.js";
import { answerExchange } from "./answer-exchange.js";
import { NodeExchange } from "./exchange.js";
import type { NodeRequest, NodeResponse } from "./messages.js";

export type { NodeRequest, NodeResponse } from "./messages.js";

/**
 * Returns a listener for `http.createServer`, `https.createServer`, and
 * `http2.createSecureServer`.
 */
export function toNodeHandler(
  server: RpcServer,
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) =>
    answerExchange(server, new NodeExchange(request, response), response);
}

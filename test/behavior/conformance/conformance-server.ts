import type {
  RpcServer,
  ServerOptions,
} from "../../../runtime/typescript/server/server.js";
import {
  idempotency,
  memoryAnswers,
} from "../../../runtime/typescript/server/idempotency.js";
import * as handlers from "../../../tools/conformance/handlers.js";

export type {
  Exports,
  HandledMessage as Message,
} from "../../../tools/conformance/handlers.js";

/** A server, and a record of what its handlers did. */
export type ConformanceServer = handlers.ConformanceServer<RpcServer>;

/**
 * Creates the server of `conformance.ridl` from its generated code. Runs on
 * every host.
 *
 * Input: `limits` contains additional options for the server.
 */
export function createConformance(
  generated: handlers.Exports,
  limits: ServerOptions = {},
): ConformanceServer {
  return handlers.serveConformance(generated, {
    ...limits,
    idempotency: idempotency(memoryAnswers()),
  });
}

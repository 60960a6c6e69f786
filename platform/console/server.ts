import type { RpcServer, ServerOptions } from "@ridlkit/runtime/server";

import { createRefuseNul } from "../http/refuse-nul.js";
import { auditActions } from "./audit.js";
import { createConsoleServer } from "./generated/server.js";
import { createActivityHandler } from "./handlers/activity.js";
import { createAudiencesHandler } from "./handlers/audiences.js";
import { createGasTanksHandler } from "./handlers/gas-tanks.js";
import { createKeysHandler } from "./handlers/keys.js";
import { createOperatorsHandler, limitSignIns } from "./handlers/operators.js";
import { createOrdersHandler } from "./handlers/orders.js";
import { createProjectsHandler } from "./handlers/projects.js";
import { createWalletsHandler } from "./handlers/wallets.js";
import { createWebhooksHandler } from "./handlers/webhooks.js";
import type {
  ConsoleParts,
  OperatorContext,
  OperatorState,
} from "./sign-in/console-parts.js";
import { owner } from "./sign-in/operators.js";
import { findSession } from "./sign-in/sessions.js";

/** Creates the server of the console's contract. */
export function createConsole(
  parts: ConsoleParts,
  observation: Pick<ServerOptions, "observe" | "onError">,
): RpcServer {
  const server = createConsoleServer<OperatorState>({
    ...observation,
    createState: () => ({
      operator: null,
      secret: null,
      expiresAt: null,
      projectId: null,
    }),
    verifySessionToken: (secret, context) =>
      verifySession(parts, secret, context),
    interceptors: [
      createRefuseNul(),
      limitSignIns(parts),
      auditActions(parts.store.database),
    ],
    maxConcurrent: 50,
    maxQueued: 200,
    maxUploadBytes: 16 * 1024 * 1024,
    timeoutMs: 30_000,
    handlers: {
      operators: createOperatorsHandler(parts),
      projects: createProjectsHandler(parts),
      keys: createKeysHandler(parts),
      audiences: createAudiencesHandler(parts),
      wallets: createWalletsHandler(parts),
      gasTanks: createGasTanksHandler(parts),
      webhooks: createWebhooksHandler(parts),
      orders: createOrdersHandler(parts),
      activity: createActivityHandler(parts),
    },
  });
  return parts.cookies.serve(server);
}

/**
 * Verifies an operator token or the secret of a session, and records its
 * operator in the request's state. Errors: `SessionExpired`.
 */
async function verifySession(
  { operators, store }: ConsoleParts,
  secret: string,
  { state }: OperatorContext,
): Promise<boolean> {
  if (operators.isToken(secret)) {
    state.operator = owner;
    return true;
  }
  const session = await findSession(store, secret);
  // Operators removed from the settings lose their sessions.
  if (session === null || !operators.has(session.operator)) return false;
  state.operator = session.operator;
  state.secret = secret;
  state.expiresAt = session.expiresAt;
  return true;
}

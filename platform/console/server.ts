import type { RpcServer, ServerOptions } from "@ridlkit/runtime/server";

import { answerOnce } from "../parts/answers.js";
import { createRefuseNul } from "../http/refuse-nul.js";
import { withRetryAfter } from "../http/with-retry-after.js";
import { auditActions } from "./sign-in/audit.js";
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
import { requireRole } from "./sign-in/roles.js";
import { findSession } from "./sign-in/sessions.js";

/**
 * Limits for methods that join the transaction of their answer. If they fail,
 * the audit log needs a second connection.
 */
const joining = { maxConcurrent: 4 };

/** The deadline of an import that waits for a chain. Node's `fetch` waits for 300 s. */
const importTimeoutMs = 240_000;

/** Creates the server of the console's contract. */
export function createConsole(
  parts: ConsoleParts,
  observation: Pick<ServerOptions, "observe" | "onError">,
): RpcServer {
  const server = createConsoleServer<OperatorState>({
    ...observation,
    createState: () => ({
      operator: null,
      role: null,
      secret: null,
      expiresAt: null,
      projectId: null,
      actionId: null,
    }),
    verifySessionToken: (secret, context) =>
      verifySession(parts, secret, context),
    interceptors: [
      createRefuseNul(),
      limitSignIns(parts),
      auditActions(parts.store.database, parts.platform.log),
    ],
    idempotency: answerOnce(parts.answers),
    caller: ({ state }) => state.operator,
    tenant: ({ state }) => state.operator,
    maxConcurrent: 50,
    maxQueued: 200,
    maxUploadBytes: 16 * 1024 * 1024,
    timeoutMs: 30_000,
    methods: {
      "GasTanks/FillGasTank": joining,
      "GasTanks/CorrectGasTank": joining,
      "Orders/ImportOrders": { timeoutMs: importTimeoutMs },
    },
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
  const { retryAfterSeconds } = parts.attempts;
  return parts.cookies.serve(withRetryAfter(server, retryAfterSeconds));
}

/**
 * Verifies an operator token or the secret of a session, and records its
 * operator in the request's state. Errors: `SessionExpired`; `PermissionDenied`
 * if the operator's role does not permit the call.
 */
async function verifySession(
  { operators, store }: ConsoleParts,
  secret: string,
  context: OperatorContext,
): Promise<boolean> {
  const { state } = context;
  if (operators.isToken(secret)) {
    state.operator = owner;
    state.role = "owner";
    return true;
  }
  const session = await findSession(store, secret);
  if (session === null) return false;
  const { credential, operator } = session;
  const found = operators.find(operator);
  // An operator who was removed from the settings, or whose password was
  // changed, loses all sessions.
  if (found === null || credential?.equals(found.credential) !== true) {
    return false;
  }
  state.operator = operator;
  state.role = found.role;
  requireRole(found.role, context);
  state.secret = secret;
  state.expiresAt = session.expiresAt;
  return true;
}

import { isRpcError } from "@ridlkit/runtime/errors";
import type { Interceptor } from "@ridlkit/runtime/server";

import { PermissionDeniedError } from "../../../generated/errors.js";
import {
  TooManyAttemptsError,
  WrongPasswordError,
} from "../generated/errors.js";
import type { OperatorsHandler } from "../generated/server.js";
import type { Session } from "../generated/types.js";
import { clientAddressHeader } from "../../http/client-address.js";
import type {
  ConsoleParts,
  OperatorContext,
  OperatorState,
} from "../sign-in/console-parts.js";
import { isForeign } from "../sign-in/cookie-sessions.js";
import { endSession, startSession } from "../sign-in/sessions.js";

const hourMs = 60 * 60 * 1000;

/** Creates the handler that signs operators in and out and lists networks. */
export function createOperatorsHandler(
  parts: ConsoleParts,
): OperatorsHandler<OperatorState> {
  const { cookies, operators, platform, store } = parts;
  const { defaultNetwork, sessionHours } = platform.settings;
  const { all } = platform.networks;
  const networks = [
    ...all.filter(({ handle }) => handle === defaultNetwork),
    ...all.filter(({ handle }) => handle !== defaultNetwork),
  ];
  return {
    signIn: async ({ operator, password, asToken = false }, context) => {
      if (!(await operators.verify(operator, password))) {
        throw new WrongPasswordError();
      }
      const expiresAt = new Date(Date.now() + sessionHours * hourMs);
      const secret = await startSession(store, { operator, expiresAt });
      context.state.operator = operator;
      if (!asToken) cookies.set(secret, expiresAt);
      const session = { operator, expiresAt: expiresAt.toISOString() };
      return { session, ...(asToken && { token: secret }) };
    },

    signOut: async (_, { state }) => {
      if (state.secret !== null) await endSession(store, state.secret);
      cookies.set(null, null);
      return {};
    },

    getSession: (_, { state }) => ({ session: toSession(state) }),

    listNetworks: () => ({
      networks: networks.map((network) => ({
        handle: network.handle,
        chainId: network.chainId,
        nativeSymbol: network.nativeSymbol,
        nativeDecimals: 18,
      })),
    }),
  };
}

/**
 * Limits attempts to sign in. Rejects them before they are recorded, so that
 * nobody can fill the database.
 */
export function limitSignIns(parts: ConsoleParts): Interceptor<OperatorState> {
  return (next) => async (call) => {
    const { context } = call;
    if (context.service !== "Operators" || context.method !== "SignIn") {
      return next(call);
    }
    // Other pages must not be able to use up the attempts of an address.
    if (isForeign((name) => context.header(name))) {
      const cause = "Origin: a page from another origin cannot sign in";
      throw new PermissionDeniedError({ cause });
    }
    await takeAttempt(parts, context);
    return next(call);
  };
}

/** Counts an attempt to sign in. Errors: `TooManyAttempts`. */
async function takeAttempt(
  { attempts }: ConsoleParts,
  context: OperatorContext,
): Promise<void> {
  try {
    await attempts.take(context.header(clientAddressHeader) ?? "");
  } catch (error) {
    if (!isRpcError(error) || error.status !== 429) throw error;
    const cause = `try again in ${attempts.retryAfterSeconds} seconds`;
    throw new TooManyAttemptsError({ cause });
  }
}

function toSession({ expiresAt, operator }: OperatorState): Session {
  return {
    operator: operator ?? "",
    ...(expiresAt !== null && { expiresAt: expiresAt.toISOString() }),
  };
}

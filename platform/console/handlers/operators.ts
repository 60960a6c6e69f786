import { isRpcError } from "@ridlkit/runtime/errors";
import type { Interceptor } from "@ridlkit/runtime/server";

import { PermissionDeniedError } from "../../../generated/errors.js";
import {
  TooManyAttemptsError,
  WrongPasswordError,
} from "../generated/errors.js";
import type { OperatorsHandler } from "../generated/server.js";
import type {
  ChainNode,
  ConsoleNetwork,
  Follower,
  Session,
} from "../generated/types.js";
import { type FollowerProgress, readProgress } from "../../follower/metrics.js";
import { clientAddressHeader } from "../../http/client-address.js";
import { hasSingleSource, type Network } from "../../network/networks.js";
import { withSignal } from "../../process/concurrency/caller.js";
import {
  type NodeFault,
  readNodeFaults,
} from "../../network/agreement/node-faults.js";
import type { Settings } from "../../settings/read-settings.js";
import type {
  ConsoleParts,
  OperatorContext,
  OperatorState,
} from "../sign-in/console-parts.js";
import { isForeign } from "../sign-in/cookie-sessions.js";
import { methodsDeniedTo } from "../sign-in/roles.js";
import { endSession, endSessions, startSession } from "../sign-in/sessions.js";

const hourMs = 60 * 60 * 1000;

/** How long what a node reported is shown. */
const faultMinutes = 7 * 24 * 60;

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
      const verify = () => operators.verify(operator, password);
      const isRight = await withSignal(() => context.signal, verify);
      if (!isRight) throw new WrongPasswordError();
      const found = operators.find(operator);
      if (found === null) throw new WrongPasswordError();
      const { credential, role } = found;
      const expiresAt = new Date(Date.now() + sessionHours * hourMs);
      const secret = await startSession(store, {
        ...{ operator, expiresAt, credential },
      });
      Object.assign(context.state, { operator, role, expiresAt });
      if (!asToken) cookies.set(secret, expiresAt);
      const session = toSession(context.state);
      return { session, ...(asToken && { token: secret }) };
    },

    signOut: async (_, { state }) => {
      if (state.secret !== null) await endSession(store, state.secret);
      cookies.set(null, null);
      return {};
    },

    endSessions: async ({ operator: name = null }, { state }) => {
      if (state.role !== "owner" && name !== state.operator) {
        const cause = `operator: only an owner can end the sessions of others`;
        throw new PermissionDeniedError({ cause });
      }
      const count = await endSessions(store, name);
      if (name === null || name === state.operator) cookies.set(null, null);
      return { count };
    },

    getSession: (_, { state }) => ({ session: toSession(state) }),

    listFollowers: async () => {
      const followers = await readProgress(store.database);
      return { followers: followers.map(toFollower) };
    },

    listNodes: async () => {
      const faults = await readNodeFaults(
        ...[store.database, platform.networks, faultMinutes],
      );
      const nodes = networks.flatMap((network) =>
        toNodes(network, platform.settings, faults),
      );
      const wrongFirst = [
        ...nodes.filter((each) => each.wrong !== undefined),
        ...nodes.filter((each) => each.wrong === undefined),
      ];
      return { nodes: wrongFirst };
    },

    listNetworks: () => ({ networks: networks.map(toNetwork) }),
  };
}

function toNetwork(network: Network): ConsoleNetwork {
  const { chainId, explorerUrl, handle, nativeSymbol } = network;
  return {
    ...{ handle, chainId, nativeSymbol, nativeDecimals: 18 },
    ...(explorerUrl !== undefined && { explorerUrl }),
  };
}

/** Returns the nodes of a network, with what each one last reported wrongly. */
function toNodes(
  network: Network,
  settings: Settings,
  faults: readonly NodeFault[],
): readonly ChainNode[] {
  const { chainId, rpcUrls } = network;
  const isOnlySource = hasSingleSource(network, settings);
  return rpcUrls.map((_, node) => {
    const fault = faults.find(
      (each) => each.chainId === chainId && each.node === node,
    );
    return {
      ...{ chainId, rpcUrl: node + 1, isOnlySource },
      ...(fault && {
        ...{ wrong: fault.what, wrongAt: fault.reportedAt.toISOString() },
      }),
    };
  });
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

function toSession({
  expiresAt,
  operator,
  role,
}: Pick<OperatorState, "expiresAt" | "operator" | "role">): Session {
  const known = role ?? "read-only";
  return {
    operator: operator ?? "",
    role: known,
    denied: methodsDeniedTo(known),
    ...(expiresAt !== null && { expiresAt: expiresAt.toISOString() }),
  };
}

function toFollower(progress: FollowerProgress): Follower {
  const { chainId, firstNumber, headNumber, isRunning } = progress;
  return {
    ...{ name: progress.follower, chainId, isRunning },
    ...(firstNumber !== null && { firstBlock: firstNumber }),
    nextBlock: progress.nextNumber,
    ...(headNumber !== null && { lastBlock: headNumber }),
    incompleteBlocks: progress.incomplete,
  };
}

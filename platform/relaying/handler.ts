import { getAddress } from "viem";

import { NotFoundError, UnauthorizedError } from "../../generated/errors.js";
import type { PlatformContext } from "../keys/state.js";
import type { Network } from "../network/networks.js";
import type { Platform } from "../parts/platform.js";
import { requireBytes } from "../services/api/signature.js";
import { relay } from "./relay.js";
import { findRelay } from "./relays.js";
import type { RelayingHandler, RelayMessage } from "./server.js";
import type { WalletCall } from "./wallet-call.js";

/** Relays on one network, for the project of the access key. */
export function createRelayingHandler(
  platform: Pick<Platform, "database" | "settings">,
  network: Network,
): RelayingHandler {
  return {
    relay: async (message, context) => {
      const projectId = projectOf(context);
      const signature = requireBytes("signature", message.signature);
      const request = { projectId, call: toCall(message), signature };
      return { relay: await relay(platform, network, request) };
    },
    getRelay: async ({ id }, context) => {
      const projectId = projectOf(context);
      const found = await findRelay(platform.database, projectId, id);
      if (found !== null) return { relay: found };
      throw new NotFoundError({ cause: `id: the project has no relay ${id}` });
    },
  };
}

function projectOf({ state }: PlatformContext): number {
  if (state.project !== null) return state.project;
  throw new UnauthorizedError();
}

function toCall(message: RelayMessage): WalletCall {
  return {
    wallet: getAddress(message.wallet),
    to: getAddress(message.to),
    value: BigInt(message.value),
    data: requireBytes("data", message.data),
    nonce: BigInt(message.nonce),
    deadline: BigInt(message.deadline),
  };
}

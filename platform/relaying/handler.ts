import { getAddress, hashTypedData } from "viem";

import { NotFoundError } from "../../generated/errors.js";
import { forwarderAddress } from "../chain/forwarder.js";
import { projectOf } from "../keys/state.js";
import type { Network } from "../network/networks.js";
import type { Platform } from "../parts/platform.js";
import { requireBytes } from "../services/request-fields.js";
import { encodeForwardedCall, forwardRequestOf } from "./forwarded-call.js";
import { relay } from "./relay.js";
import { findRelay, type RelayRequest } from "./relays.js";
import type { RelayingHandler, RelayMessage } from "./server.js";
import { encodeCall, hashOfCall, type WalletCall } from "./wallet-call.js";

/**
 * Creates the handler for relays on a network, for the access key's project.
 */
export function createRelayingHandler(
  platform: Pick<Platform, "database" | "settings">,
  network: Network,
): RelayingHandler {
  return {
    relay: async (message, context) => {
      const projectId = projectOf(context);
      const request = { projectId, ...toSigned(network, message) };
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

/**
 * Returns the call of a message, the hash that the wallet's owner signed, and
 * the data of the transaction that executes the call.
 */
function toSigned(
  { chainId }: Network,
  message: RelayMessage,
): Omit<RelayRequest, "projectId"> {
  const call = toCall(message);
  const signature = requireBytes("signature", message.signature);
  if (message.gas === undefined) {
    return {
      call,
      hash: hashOfCall(chainId, call),
      forwarder: null,
      data: encodeCall(call, signature),
    };
  }
  const forwarded = { ...call, gas: BigInt(message.gas) };
  return {
    call,
    hash: hashTypedData(forwardRequestOf(chainId, forwarded)),
    forwarder: forwarderAddress,
    data: encodeForwardedCall(forwarded, signature),
  };
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

import { getAddress, hashTypedData } from "viem";

import { NotFoundError } from "../../generated/errors.js";
import { forwarderAddress } from "../chain/forwarder.js";
import {
  type PlatformContext,
  type PlatformState,
  projectOf,
} from "../keys/state.js";
import type { Network } from "../network/networks.js";
import type { Answers } from "../parts/answers.js";
import type { Platform } from "../parts/platform.js";
import {
  refuseField,
  requireBytes,
  toUint256,
} from "../services/request-fields.js";
import {
  encodeForwardedCall,
  type ForwardedCall,
  forwardRequestOf,
} from "./forwarded-call.js";
import { relay } from "./relay.js";
import type { RelayingHandler } from "./generated/server.js";
import type { RelayRequest } from "./generated/types.js";
import { findRelay, type SignedCall } from "./relays.js";
import { encodeCall, hashOfCall, type WalletCall } from "./wallet-call.js";

/** Dependencies of the handler. */
interface RelayingParts extends Pick<Platform, "database" | "settings"> {
  /** Returns the ID of a request, or null if it has none. */
  readonly requestIdOf: (context: PlatformContext) => string | null;
}

/**
 * Creates the handler for relays on a network, for the access key's project.
 */
export function createRelayingHandler(
  platform: RelayingParts,
  answers: Answers,
  network: Network,
): RelayingHandler<PlatformState> {
  return {
    relay: async (request, context) => {
      const projectId = projectOf(context);
      const requestId = platform.requestIdOf(context);
      const signed = toSigned(network, request);
      const call = { projectId, requestId, ...signed };
      const stored = await relay(platform, network, call, (work) =>
        answers.join(context, work),
      );
      return { relay: stored };
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
 * Returns the requested call, the hash that the wallet's owner signed, and the
 * data of the transaction that executes the call.
 */
function toSigned(
  { chainId }: Network,
  request: RelayRequest,
): Omit<SignedCall, "projectId" | "requestId"> {
  const call = toCall(request);
  const signature = requireBytes("signature", request.signature);
  if (request.gas === undefined) {
    return {
      call,
      hash: hashOfCall(chainId, call),
      forwarder: null,
      data: encodeCall(call, signature),
    };
  }
  const forwarded = requireForwardable(call, request.gas);
  return {
    call,
    hash: hashTypedData(forwardRequestOf(chainId, forwarded)),
    forwarder: forwarderAddress,
    data: encodeForwardedCall(forwarded, signature),
  };
}

function toCall(request: RelayRequest): WalletCall {
  return {
    wallet: getAddress(request.wallet),
    to: getAddress(request.to),
    value: toUint256("value", request.value),
    data: requireBytes("data", request.data),
    nonce: toUint256("nonce", request.nonce),
    deadline: BigInt(request.deadline),
  };
}

/** Checks what the forwarder requires of a call. */
function requireForwardable(call: WalletCall, gas: string): ForwardedCall {
  const { deadline, value } = call;
  if (value !== 0n) {
    const expected =
      "0, because the forwarder does not hold the wallet's funds";
    throw refuseField("value", expected, String(value));
  }
  if (deadline >= 2n ** 48n) {
    const expected = "seconds since 1970, below 2^48";
    throw refuseField("deadline", expected, Number(deadline));
  }
  return { ...call, gas: toUint256("gas", gas) };
}

import {
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  isHex,
  parseAbiParameters,
} from "viem";

import { forwarder } from "../chain/artifacts/forwarder.js";
import { forwarderAddress, forwarderName } from "../chain/forwarder.js";
import { nodeErrorIn } from "../network/read-chain.js";
import { orNull } from "../process/failures/or-null.js";
import type { WalletCall } from "./wallet-call.js";

/** A call that the forwarder executes for a plain account. */
export interface ForwardedCall extends WalletCall {
  /** The gas limit of the call itself. */
  readonly gas: bigint;
}

const types = {
  ForwardRequest: parseAbiParameters(
    "address from, address to, uint256 value, uint256 gas, uint256 nonce, uint48 deadline, bytes data",
  ),
};

/**
 * Returns the data that the account signs (EIP-712). A signature is valid only
 * on the given chain.
 */
export function forwardRequestOf(
  chainId: number,
  { wallet: from, deadline, ...call }: ForwardedCall,
) {
  return {
    domain: {
      name: forwarderName,
      version: "1",
      chainId,
      verifyingContract: forwarderAddress,
    },
    types,
    primaryType: "ForwardRequest",
    message: { ...call, from, deadline: Number(deadline) },
  } as const;
}

/** Encodes the transaction to the forwarder that executes the call. */
export function encodeForwardedCall(
  { wallet: from, to, value, data, deadline, gas }: ForwardedCall,
  signature: Hex,
): Hex {
  const request = { from, to, value, gas, data, signature };
  return encodeFunctionData({
    abi: forwarder.abi,
    functionName: "execute",
    args: [{ ...request, deadline: Number(deadline) }],
  });
}

const refusals: Readonly<Record<string, string | undefined>> = {
  ERC2771ForwarderExpiredRequest: "deadline: it has passed",
  ERC2771ForwarderInvalidSigner:
    "signature: the wallet has not signed this call for this chain",
  ERC2771UntrustfulTarget: `to: it does not trust the forwarder ${forwarderAddress}`,
};

/**
 * Explains why the forwarder rejected a call. Returns null if it did not, or if
 * the reason is unknown.
 */
export function explainRefusal(error: unknown): string | null {
  const data = nodeErrorIn(error)?.data;
  if (!isHex(data)) return null;
  // Decoding fails if the error is not one of the forwarder's.
  const known = orNull(() => decodeErrorResult({ abi: forwarder.abi, data }));
  return refusals[known?.errorName ?? ""] ?? null;
}

import {
  BaseError,
  ContractFunctionZeroDataError,
  type PublicClient,
  RpcRequestError,
} from "viem";

import { UnavailableError } from "../../generated/errors.js";
import type { Network } from "./networks.js";

/**
 * Asks a chain. A chain that does not answer must not be taken for one that
 * says no: viem's errors alone do not keep them apart.
 *
 * Output: null when the chain refuses, because what is called reverts, or is no
 * contract with such a function.
 * Errors: `Unavailable` when the chain does not answer, or has stalled.
 */
export async function readChain<Answer>(
  network: Network,
  read: (client: PublicClient) => Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await network.circuit.run(async () => read(network.client()));
  } catch (error) {
    // What is not of viem is a fault of ours.
    if (!(error instanceof BaseError)) throw error;
    if (isRefusal(error)) return null;
    throw new UnavailableError({
      cause: `the chain of ${network.handle} does not answer: ${reasonOf(error)}`,
    });
  }
}

/** Code of JSON-RPC errors that report a revert; others say so in words. */
const revertCode = 3;

/** How nodes report a call that reverts, or fails like one: it is out of gas. */
const failures =
  /revert|evm error|out of gas|exceeds allowance|invalid (?:opcode|jump)|stack (?:underflow|limit)/iu;

/** Whether the chain has answered, and says no. */
export function isRefusal(error: BaseError): boolean {
  const refusal = error.walk(
    (cause) =>
      cause instanceof ContractFunctionZeroDataError ||
      (cause instanceof RpcRequestError &&
        (cause.code === revertCode || failures.test(cause.details))),
  );
  return refusal !== null;
}

/**
 * Why a chain does not answer, by the innermost error: the outer ones name URLs,
 * which may hold keys.
 */
export function reasonOf(error: BaseError): string {
  const innermost = error.walk((cause) => {
    const inner = cause instanceof Error ? cause.cause : undefined;
    return !(inner instanceof BaseError);
  });
  return innermost instanceof BaseError ? innermost.shortMessage : error.name;
}

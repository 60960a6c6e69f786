import { isString } from "@ridlkit/runtime/validation";
import {
  BaseError,
  ContractFunctionZeroDataError,
  type PublicClient,
  RpcRequestError,
} from "viem";

import { UnavailableError } from "../../generated/errors.js";
import { reasonOf } from "../process/failures/error-facts.js";
import { orNull } from "../process/failures/or-null.js";
import { toExcerpt } from "../process/failures/to-excerpt.js";
import type { Network } from "./networks.js";

/**
 * Reads from a chain. viem's errors alone do not distinguish a chain that does
 * not respond from one that rejects the call.
 *
 * Returns null if the call reverts or the contract has no such function.
 * Errors: `Unavailable` if the chain does not respond or has stalled.
 */
export async function readChain<Answer>(
  network: Network,
  read: (client: PublicClient) => Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await network.circuit.run(async () => read(network.client()));
  } catch (error) {
    // Any other error is a bug in the platform.
    if (!(error instanceof BaseError)) throw error;
    if (isRefusal(error)) return null;
    throw new UnavailableError({
      cause: `the chain of ${network.handle} does not respond: ${reasonOf(error)}`,
    });
  }
}

/**
 * The JSON-RPC error code for a revert. Some nodes only report it in the
 * message.
 */
const revertCode = 3;

/**
 * The messages that nodes report for a call that reverts or fails in a similar
 * way, e.g. by running out of gas.
 */
const failures =
  /revert|evm error|out of gas|exceeds allowance|invalid (?:opcode|jump)|stack (?:underflow|limit)/iu;

/** Returns the error that a node reported, or null if none did. */
export function nodeErrorIn(error: unknown): RpcRequestError | null {
  if (!(error instanceof BaseError)) return null;
  const cause = error.walk((each) => each instanceof RpcRequestError);
  return cause instanceof RpcRequestError ? cause : null;
}

/** The maximum length of what a node says, in characters. */
const maxSaidLength = 500;

/**
 * Returns what a node said about an error, as one line of text without the URLs
 * of nodes, which may contain keys. Returns "" if it said nothing.
 */
export function nodeTextIn(
  error: unknown,
  { rpcUrls }: Pick<Network, "rpcUrls">,
): string {
  // A node can send any JSON value.
  const said: unknown = nodeErrorIn(error)?.details;
  if (!isString(said)) return "";
  const hidden = rpcUrls
    .flatMap(keysIn)
    .sort((one, other) => other.length - one.length)
    .reduce((text, key) => text.replaceAll(key, "…"), said);
  return toExcerpt(hidden, maxSaidLength);
}

/** The minimum length of a key. Shorter parts of URLs are words such as `rpc`. */
const minKeyLength = 8;

/** Returns the parts of a node's URL that may be secret. */
function keysIn(text: string): readonly string[] {
  const url = new URL(text);
  const path = url.pathname.split("/");
  const query = [...url.searchParams].flat();
  const { host, href, password, username } = url;
  return [text, href, host, password, username, ...path, ...query]
    .flatMap((part) => [part, orNull(() => decodeURIComponent(part)) ?? part])
    .filter(({ length }) => length >= minKeyLength);
}

/** Returns whether the chain has rejected the call. */
export function isRefusal(error: BaseError): boolean {
  const refusal = error.walk(
    (cause) =>
      cause instanceof ContractFunctionZeroDataError ||
      (cause instanceof RpcRequestError &&
        (cause.code === revertCode || failures.test(cause.details))),
  );
  return refusal !== null;
}

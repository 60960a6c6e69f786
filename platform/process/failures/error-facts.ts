import { isRpcError } from "@ridlkit/runtime/errors";
import { isString } from "@ridlkit/runtime/validation";
import { BaseError } from "viem";

import { toExcerpt } from "./to-excerpt.js";

/** What a log says about an error. */
export interface ErrorFacts {
  /** An excerpt, which can be stored. */
  readonly reason: string;
  /** The error itself, unless it may contain URLs of nodes. */
  readonly err?: unknown;
}

/** Returns what a log may say about an error. */
export function factsOf(error: unknown): ErrorFacts {
  if (error instanceof BaseError) return { reason: toExcerpt(reasonOf(error)) };
  const { message, cause } =
    error instanceof Error ? error : Error(String(error));
  const reason = isRpcError(error) && isString(cause) ? cause : message;
  return { reason: toExcerpt(reason), err: error };
}

/**
 * Returns the reason why a chain does not respond, taken from the innermost
 * error. The outer errors contain URLs, which may contain keys.
 */
export function reasonOf(error: BaseError): string {
  const innermost = error.walk((cause) => {
    const inner = cause instanceof Error ? cause.cause : undefined;
    return !(inner instanceof BaseError);
  });
  return innermost instanceof BaseError ? innermost.shortMessage : error.name;
}

import { isRpcError } from "@ridlkit/runtime/errors";
import { isString } from "@ridlkit/runtime/validation";
import { BaseError } from "viem";

import { toLogText } from "./to-log-text.js";

/** What a log says about an error. */
export interface ErrorFacts {
  /** An excerpt, which can be stored. */
  readonly reason: string;
  /** The error itself, unless a node has not responded as it should. */
  readonly err?: unknown;
}

/** Returns what a log may say about an error. */
export function factsOf(error: unknown): ErrorFacts {
  const reason = reasonOf(error);
  return error instanceof BaseError ? { reason } : { reason, err: error };
}

/** Returns an excerpt of the reason for an error, which can be stored. */
export function reasonOf(error: unknown): string {
  return toLogText(textOf(error));
}

function textOf(error: unknown): string {
  if (error instanceof BaseError) return innermostOf(error);
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  // Node.js throws one without a message if a host has several addresses.
  if (error instanceof AggregateError && message === "") {
    return error.errors.slice(0, 3).map(textOf).join("; ");
  }
  return isRpcError(error) && isString(cause) ? cause : message;
}

/**
 * Returns the message of the innermost error of viem. The outer ones contain what
 * was sent to the chain, and where.
 */
function innermostOf(error: BaseError): string {
  const innermost = error.walk((cause) => {
    const inner = cause instanceof Error ? cause.cause : undefined;
    return !(inner instanceof BaseError);
  });
  return innermost instanceof BaseError ? innermost.shortMessage : error.name;
}

import {
  builtInErrors,
  type ErrorDefinition,
  isRpcError,
  RpcError,
} from "../../wire/errors.js";
import type { ServerRequest, ServerResponse } from "../model/exchange.js";
import { memberOf } from "../../values/member.js";
import { Refusal } from "../model/refusal.js";
import { errorResponse } from "./response.js";
import { ResponseMisfit } from "./response-message.js";
import { pathOf } from "../model/route.js";
import type { ServerMethod } from "../model/server-method.js";
import type { ServerOptions } from "../model/server-options.js";

/** An answer, and the error that it tells. */
export interface Answer {
  readonly response: ServerResponse;
  /** null for a success. */
  readonly error: ErrorDefinition | null;
}

/** What is said of a path where no method answers. */
export function unknownRoute(request: ServerRequest): Refusal {
  const cause = `no method answers at ${request.method} ${pathOf(request.target)}`;
  return new Refusal(builtInErrors.WebrpcBadRoute, cause);
}

/**
 * The answer to a request that failed: a refusal and an RpcError as they are, and
 * of anything else nothing but that it happened. Tells `onError` what is the
 * server's fault.
 */
export function failedAnswer<State>(
  options: ServerOptions<State>,
  method: ServerMethod,
  request: ServerRequest,
  failure: unknown,
): Answer {
  const isRefusal = failure instanceof Refusal;
  const error = isRefusal ? failure : toRpcError(failure);
  if (error.status >= 500) {
    report(options, method, request, isRefusal ? raise(failure) : failure);
  }
  return { response: errorResponse(error), error };
}

/** The error that a refusal would be if it had been thrown. */
function raise({ name, code, message, status, cause }: Refusal): RpcError {
  return new RpcError({ name, code, message, status }, { cause });
}

/** The error that a client hears of: nothing about what is not an RpcError. */
export function toRpcError(failure: unknown): RpcError {
  if (isRpcError(failure) && !isFromClient(failure)) return failure;
  const { WebrpcBadResponse, WebrpcInternalError } = builtInErrors;
  const isMisfit = failure instanceof ResponseMisfit;
  return new RpcError(isMisfit ? WebrpcBadResponse : WebrpcInternalError);
}

/**
 * Whether a client of ours raised it while the handler called another service.
 * Its text is about that service, and the fault is not the caller's.
 */
function isFromClient(error: RpcError): boolean {
  return error.code <= 0 && typeof memberOf(error, "reason") === "string";
}

/** Tells `onError`; what goes wrong there is nobody's answer. */
export function report<State>(
  options: ServerOptions<State>,
  method: ServerMethod,
  request: ServerRequest,
  error: unknown,
): void {
  const failures = error instanceof ResponseMisfit ? error.failures : [];
  const { service, name } = method;
  const info = { service, method: name, request, failures };
  try {
    // It may be an async function: its rejection must not escape either.
    const result: unknown = options.onError?.(error, info);
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // The answer goes out all the same.
  }
}

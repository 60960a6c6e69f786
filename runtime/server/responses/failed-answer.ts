import {
  builtInErrors,
  type ErrorDefinition,
  isRpcError,
  RpcError,
} from "../../wire/errors.js";
import type { ServerRequest, ServerResponse } from "../model/exchange.js";
import { BodyReadError } from "../requests/body.js";
import { memberOf } from "../../values/member.js";
import { Refusal } from "../model/refusal.js";
import { challengeOf, errorResponse } from "./response.js";
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

/** What counts of the method that failed. */
type FailingMethod = Pick<ServerMethod, "credentials" | "errors">;

const noMethod: FailingMethod = { credentials: [] };

/** What is said of a path where no method answers. */
export function unknownRoute(request: ServerRequest): Refusal {
  const cause = `no method answers at ${request.method} ${pathOf(request.target)}`;
  return new Refusal(builtInErrors.WebrpcBadRoute, cause);
}

/**
 * The answer to a request that failed: a refusal and an RpcError as they are, and
 * of anything else only that it happened. Tells `onError` about server failures.
 */
export function failedAnswer<State>(
  options: ServerOptions<State>,
  method: ServerMethod,
  request: ServerRequest,
  failure: unknown,
): Answer {
  const answer = answerOf(failure, method);
  if (answer.response.status >= 500) report(options, method, request, failure);
  return answer;
}

/** The same without telling anybody. Never throws, whatever the failure is. */
export function answerOf(
  failure: unknown,
  { credentials, errors }: FailingMethod = noMethod,
): Answer {
  try {
    const error =
      failure instanceof Refusal ? failure : toRpcError(failure, errors);
    const own = error instanceof Refusal ? error.headers : undefined;
    const isUnauthorized = error.status === 401;
    const headers = isUnauthorized ? challengeOf(credentials) : own;
    return { response: errorResponse(error, headers), error };
  } catch {
    // Even accessing the error throws, as for a revoked Proxy.
    const error = new RpcError(builtInErrors.WebrpcInternalError);
    return { response: errorResponse(error), error };
  }
}

/** The error that a refusal would be if it had been thrown. */
function raise({ name, code, message, status, cause }: Refusal): RpcError {
  return new RpcError({ name, code, message, status }, { cause });
}

/**
 * The error that a client is told; nothing about what is not an RpcError.
 *
 * Input: `declared` are the errors of the method, by name.
 */
function toRpcError(
  failure: unknown,
  declared: readonly string[] = [],
): RpcError {
  const isKnown =
    isRpcError(failure) &&
    (!isFromClient(failure) || declared.includes(failure.name));
  if (isKnown) return failure;
  const { WebrpcBadResponse, WebrpcInternalError } = builtInErrors;
  if (failure instanceof ResponseMisfit) return new RpcError(WebrpcBadResponse);
  // The message helps the operator of the server and reveals nothing else.
  const cause = failure instanceof BodyReadError ? failure.message : undefined;
  return new RpcError(WebrpcInternalError, { cause });
}

/**
 * Whether a client of ours raised or read it while the handler called another
 * service. Its text is about that service, and the fault is not the caller's.
 */
function isFromClient(error: RpcError): boolean {
  const isRaised = memberOf(error, "isRaised") === true;
  return !isRaised || typeof memberOf(error, "reason") === "string";
}

/**
 * Tells `onError`, or the console about what nobody foresaw. What goes wrong there
 * does not change the answer.
 */
export function report<State>(
  options: ServerOptions<State>,
  method: ServerMethod,
  request: ServerRequest,
  failure: unknown,
): void {
  const { service, name } = method;
  try {
    const seen = look(failure);
    if (options.onError === undefined) {
      const isExpected = isRpcError(seen) && !isFromClient(seen);
      if (!isExpected) console.error(`${service}.${name} failed:`, seen);
      return;
    }
    const failures = seen instanceof ResponseMisfit ? seen.failures : [];
    const info = { service, method: name, request, failures };
    // The callback may be async, and its rejection must be handled, too.
    const result: unknown = options.onError(seen, info);
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // The response is sent regardless of this error.
  }
}

/** What `onError` is told; an error in place of what throws when looked at. */
function look(failure: unknown): unknown {
  try {
    if (failure instanceof Refusal) return raise(failure);
    isRpcError(failure);
    return failure;
  } catch (error) {
    return error;
  }
}

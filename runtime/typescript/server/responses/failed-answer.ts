import {
  builtInErrors,
  type ErrorDefinition,
  isRpcError,
  RpcError,
} from "../../wire/errors.js";
import type { ServerRequest, ServerResponse } from "../model/exchange.js";
import { BodyReadError } from "../requests/body.js";
import { UnknownAddressError } from "../model/client-address.js";
import { memberOf } from "../../values/member.js";
import { quietly } from "../../values/quietly.js";
import { Refusal } from "../model/refusal.js";
import { printErrorData, refusalResponse } from "./error-data.js";
import { challengeOf, errorResponse } from "./response.js";
import { InvalidResponseError } from "./response-message.js";
import { pathOf } from "../model/route.js";
import type { ServerMethod } from "../model/server-method.js";
import type { ServerOptions } from "../model/server-options.js";

/** A response and the error in it. */
export interface CallOutcome {
  /** The failure itself, or the fault in its data. */
  readonly failure: unknown;
  readonly response: ServerResponse;
  /** Null for a success. */
  readonly error: ErrorDefinition | null;
}

/**
 * Where an error is sent: in a response, in the last line of a stream, which
 * always contains an envelope, or in its last event, which contains the body of
 * the response.
 */
export type ErrorPlace = "response" | "line" | "event";

/** The part of a method that the response to a failure depends on. */
type FailingMethod = Pick<
  ServerMethod,
  "credentials" | "errorBody" | "errorData" | "errors" | "name" | "service"
>;

const noMethod: FailingMethod = { credentials: [], name: "", service: "" };

/** The cause of a refusal of an invalid request target. */
export const invalidUrl = "host and path are not a valid URL";

/** Returns the refusal for a path without a method, or for an invalid target. */
export function unknownRoute(request: ServerRequest): Refusal {
  const path = pathOf(request.target);
  if (!path.startsWith("/")) {
    return new Refusal(builtInErrors.WebrpcBadRequest, invalidUrl);
  }
  const cause = `there is no method at ${request.method} ${path}`;
  return new Refusal(builtInErrors.WebrpcBadRoute, cause);
}

/**
 * Creates the response to a failed request. Refusals and RpcErrors are sent
 * unchanged, except undeclared errors of a service that the handler called. For
 * any other error, clients learn only that there was one. Calls `onError` for
 * server-side failures, which include data that violates the contract.
 */
export function failedAnswer<State>(
  options: ServerOptions<State>,
  method: ServerMethod,
  request: ServerRequest,
  failure: unknown,
  place: ErrorPlace = "response",
): CallOutcome {
  const told =
    method.skew !== undefined && failure instanceof Refusal
      ? method.skew.explain(failure, request, method)
      : failure;
  const answer = answerOf(told, method, place);
  if (answer.response.status >= 500)
    report(options, method, request, answer.failure);
  return answer;
}

/**
 * Creates the same response as `failedAnswer` without calling `onError`. Never
 * throws.
 */
export function answerOf(
  failure: unknown,
  method: FailingMethod = noMethod,
  place: ErrorPlace = "response",
): CallOutcome {
  const { credentials, errors } = method;
  const errorBody = place === "line" ? undefined : method.errorBody;
  try {
    const error =
      failure instanceof Refusal ? failure : toRpcError(failure, errors);
    const data = printErrorData(method, error, place !== "response");
    if (data instanceof InvalidResponseError)
      return answerOf(data, method, place);
    const own = error instanceof Refusal ? error.headers : undefined;
    const isUnauthorized = error.status === 401;
    const refused = isUnauthorized ? challengeOf(credentials) : own;
    const headers = data?.headers ? { ...data.headers, ...refused } : refused;
    const json = data?.json ?? null;
    const type = errorBody?.mediaType;
    const response = errorResponse(error, headers, json, type);
    return { failure, response, error };
  } catch {
    // Reading the failure itself throws, for example if it is a revoked Proxy.
    const error = new RpcError(builtInErrors.WebrpcInternalError);
    const response = refusalResponse(error, undefined, errorBody);
    return { failure, response, error };
  }
}

/** Converts a refusal to the error that it represents. */
function raise({ name, code, message, status, cause }: Refusal): RpcError {
  return new RpcError({ name, code, message, status }, { cause });
}

/**
 * Returns the error to send to the client. The error has the failure's details
 * only if the failure is an RpcError that the handler may return.
 *
 * Input: `declared` contains the method's errors by name.
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
  if (failure instanceof InvalidResponseError)
    return new RpcError(WebrpcBadResponse);
  // This message helps the operator of the server and reveals nothing else.
  const isFromHost =
    failure instanceof BodyReadError || failure instanceof UnknownAddressError;
  const cause = isFromHost ? failure.message : undefined;
  return new RpcError(WebrpcInternalError, { cause });
}

/**
 * Whether a client created or received the error while the handler called
 * another service. Such an error concerns that service and is not the caller's
 * fault.
 */
function isFromClient(error: RpcError): boolean {
  const isRaised = memberOf(error, "isRaised") === true;
  return !isRaised || typeof memberOf(error, "reason") === "string";
}

/** Prints a failure to the console, unless server code threw it on purpose. */
export function print(subject: string, failure: unknown): void {
  if (isRpcError(failure) && !isFromClient(failure)) return;
  console.error(`${subject} failed:`, failure);
}

/**
 * Calls `onError` or prints unexpected errors to the console. A failure of the
 * callback does not change the response.
 */
export function report<State>(
  options: ServerOptions<State>,
  method: Pick<ServerMethod, "service" | "name">,
  request: ServerRequest,
  failure: unknown,
): void {
  const { service, name } = method;
  // The response is sent even if the callback fails.
  quietly(() => {
    const seen = look(failure);
    if (options.onError === undefined) return print(`${service}.${name}`, seen);
    const failures = seen instanceof InvalidResponseError ? seen.failures : [];
    const info = { service, method: name, request, failures };
    return options.onError(seen, info);
  });
}

/**
 * Returns the argument of `onError`. Replaces an error that throws when it is
 * read.
 */
function look(failure: unknown): unknown {
  try {
    if (failure instanceof Refusal) return raise(failure);
    isRpcError(failure);
    return failure;
  } catch (error) {
    return error;
  }
}

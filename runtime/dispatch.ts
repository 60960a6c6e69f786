import { Context, Facts } from "./context.js";
import {
  assertCredentials,
  type CredentialCheck,
} from "./credentials-check.js";
import {
  builtInErrors,
  isRpcError,
  RpcError,
  WebrpcBadRouteError,
} from "./errors.js";
import type { ServerRequest, ServerResponse } from "./exchange.js";
import { memberOf } from "./member.js";
import {
  assertContentType,
  noParameters,
  type Parameters,
  readBodyMessage,
  readParameters,
  readPathMessage,
} from "./request-message.js";
import { errorResponse, okResponse } from "./response.js";
import {
  findMisfit,
  ResponseMisfit,
  toResponseBody,
  toWireForm,
} from "./response-message.js";
import { pathOf } from "./route.js";
import type { Handler, ServerMethod } from "./server-method.js";
import type { ServerOptions } from "./server-options.js";

/** A method of the table with what the host provides for it. */
export interface BoundMethod<State> {
  readonly row: ServerMethod;
  /** Path parameters, in the order of the path. */
  readonly parameterNames: readonly string[];
  readonly credentials: readonly CredentialCheck<State>[];
  readonly handler: Handler<State>;
}

/** What is the same for all methods of a server. */
export interface Host<State> {
  readonly options: ServerOptions<State>;
  readonly maxBodyBytes: number;
  /** Judges the parameters of the base path; null: all will do. */
  readonly accepts: ((parameters: Parameters) => unknown) | null;
}

/**
 * Answers one request to a known method: content type, credentials, body,
 * handler, response, in that order. Never rejects.
 */
export async function dispatch<State>(
  host: Host<State>,
  method: BoundMethod<State>,
  values: readonly string[],
  request: ServerRequest,
): Promise<ServerResponse> {
  try {
    return await answer(host, method, values, request);
  } catch (error) {
    return answerFailure(host, method.row, request, error);
  }
}

async function answer<State>(
  host: Host<State>,
  method: BoundMethod<State>,
  values: readonly string[],
  request: ServerRequest,
): Promise<ServerResponse> {
  const { row, parameterNames } = method;
  const isRest = row.route.kind === "rest";
  const parameters = readParameters(parameterNames, values);
  if (host.accepts !== null && parameters !== noParameters && !isRest) {
    const isKnown = await host.accepts(parameters);
    if (isKnown !== true) throw unknownRoute(request);
  }
  if (!isRest) assertContentType(row, request.header("content-type"));

  const context = await createContext(host.options, row, parameters, request);
  if (method.credentials.length > 0) {
    await assertCredentials(method.credentials, context);
  }
  const message = isRest
    ? readPathMessage(row, parameterNames, values)
    : await readBodyMessage(row, request, host.maxBodyBytes);
  const result = await method.handler(message, context);

  const response = toWireForm(row, result);
  const mode = host.options.validateResponses ?? "throw";
  const misfit = mode === "off" ? null : findMisfit(row, response);
  if (misfit !== null) {
    if (mode === "throw") throw misfit;
    report(host, row, request, misfit);
  }
  return okResponse(toResponseBody(row, response));
}

async function createContext<State>(
  options: ServerOptions<State>,
  row: ServerMethod,
  parameters: Parameters,
  request: ServerRequest,
): Promise<Context<State>> {
  const state = await options.createState?.(
    new Facts(row, parameters, request),
  );
  // Hosts with a state of their own give `createState`; the others' is undefined.
  return new Context(row, parameters, request, state as State);
}

/** The error of a path where no method answers. */
export function unknownRoute(request: ServerRequest): RpcError {
  const cause = `no method answers at ${request.method} ${pathOf(request.target)}`;
  return new WebrpcBadRouteError({ cause });
}

function answerFailure<State>(
  host: Host<State>,
  row: ServerMethod,
  request: ServerRequest,
  error: unknown,
): ServerResponse {
  if (isRpcError(error) && !isFromClient(error)) {
    if (error.status >= 500) report(host, row, request, error);
    return errorResponse(error);
  }
  report(host, row, request, error);
  const { WebrpcBadResponse, WebrpcInternalError } = builtInErrors;
  const isMisfit = error instanceof ResponseMisfit;
  return errorResponse(
    new RpcError(isMisfit ? WebrpcBadResponse : WebrpcInternalError),
  );
}

/**
 * Whether a client of ours raised it while the handler called another service.
 * Its text is about that service, and the fault is not the caller's.
 */
function isFromClient(error: RpcError): boolean {
  return error.code <= 0 && typeof memberOf(error, "reason") === "string";
}

/** Tells `onError`; what goes wrong there is nobody's answer. */
function report<State>(
  host: Host<State>,
  row: ServerMethod,
  request: ServerRequest,
  error: unknown,
): void {
  const failures = error instanceof ResponseMisfit ? error.failures : [];
  const info = { service: row.service, method: row.name, request, failures };
  try {
    // It may be an async function: its rejection must not escape either.
    const result: unknown = host.options.onError?.(error, info);
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // The answer goes out all the same.
  }
}

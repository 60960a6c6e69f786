import { withCors } from "./cors.js";
import {
  type BoundMethod,
  dispatch,
  type Host,
  unknownRoute,
} from "./dispatch.js";
import { WebrpcBadMethodError } from "./errors.js";
import type { RpcServer, ServerRequest, ServerResponse } from "./exchange.js";
import { toFetch } from "./fetch.js";
import { isFunction, memberOf } from "./member.js";
import { errorResponse } from "./response.js";
import { createRoutes, parameterNames, pathOf, type Place } from "./route.js";
import type { ServerMethod } from "./server-method.js";
import type { ServerOptions } from "./server-options.js";

export type { CorsOptions } from "./cors.js";
export type { RequestContext, RequestFacts } from "./context.js";
export type { RpcServer, ServerRequest, ServerResponse } from "./exchange.js";
export type {
  CredentialRule,
  ServerMethod,
  ServerRoute,
  Verify,
} from "./server-method.js";
export type {
  ErrorInfo,
  ResponseValidation,
  ServerOptions,
} from "./server-options.js";

export type { Check } from "./validation.js";

const defaultMaxBodyBytes = 1024 * 1024;

/**
 * Makes a server of a generated method table.
 *
 * Input: the options of the generated server (its `handlers`, the verifiers
 * that the table names, `acceptParameters`), and the table.
 * Errors: `TypeError` when a handler or a verifier is missing, or when two
 * methods answer at the same place.
 */
export function createServer<State = undefined>(
  options: ServerOptions<State>,
  methods: readonly ServerMethod[],
): RpcServer {
  const host = createHost(options);
  const bound = methods.map((row) => bindMethod(options, row));
  const webhook = bound.find(({ row }) => row.route.kind === "webhook");
  if (webhook !== undefined) return createReceiver(host, webhook, bound.length);

  const find = createRoutes(bound, placeOf);
  const answer = (request: ServerRequest): Promise<ServerResponse> => {
    const match = find(pathOf(request.target));
    if (match === null) return answerUnknown(request);
    const method = match.endpoint.byVerb.get(request.method);
    return method === undefined
      ? answerWrongVerb(request, match.endpoint.allow)
      : dispatch(host, method, match.values, request);
  };
  const allowAt = (target: string): string | null =>
    find(pathOf(target))?.endpoint.allow ?? null;
  const handle =
    options.cors === undefined
      ? answer
      : withCors(options.cors, methods, allowAt, answer);
  const matches = (target: string): boolean => allowAt(target) !== null;
  return { fetch: toFetch(handle), handle, matches };
}

/**
 * One server of several: the first that knows the path answers.
 *
 * Errors: none; a path that none knows is 404 `WebrpcBadRoute`.
 */
export function composeServers(...servers: readonly RpcServer[]): RpcServer {
  const find = (target: string): RpcServer | undefined =>
    servers.find((server) => server.matches(target));
  const handle = (request: ServerRequest): Promise<ServerResponse> =>
    find(request.target)?.handle(request) ?? answerUnknown(request);
  const matches = (target: string): boolean => find(target) !== undefined;
  return { fetch: toFetch(handle), handle, matches };
}

/** A server with one method, which answers whatever the path is. */
function createReceiver<State>(
  host: Host<State>,
  method: BoundMethod<State>,
  methodCount: number,
): RpcServer {
  if (methodCount > 1) {
    throw new TypeError("a webhook method must be alone on its server");
  }
  const handle = (request: ServerRequest): Promise<ServerResponse> =>
    request.method === "POST"
      ? dispatch(host, method, [], request)
      : answerWrongVerb(request, "POST");
  return { fetch: toFetch(handle), handle, matches: () => true };
}

function answerUnknown(request: ServerRequest): Promise<ServerResponse> {
  return Promise.resolve(errorResponse(unknownRoute(request)));
}

function answerWrongVerb(
  request: ServerRequest,
  allow: string,
): Promise<ServerResponse> {
  const path = pathOf(request.target);
  const cause = `${path} answers to ${allow}, not to ${request.method}`;
  const error = new WebrpcBadMethodError({ cause });
  return Promise.resolve(errorResponse(error, { allow }));
}

function placeOf({ row }: { readonly row: ServerMethod }): Place {
  const { route } = row;
  const verb = route.kind === "rest" ? "GET" : "POST";
  return { verb, path: route.kind === "webhook" ? "" : route.path };
}

function createHost<State>(options: ServerOptions<State>): Host<State> {
  const accepts = memberOf(options, "acceptParameters");
  return {
    options,
    maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    accepts: isFunction(accepts)
      ? (parameters) => accepts.call(options, parameters)
      : null,
  };
}

function bindMethod<State>(
  options: ServerOptions<State>,
  row: ServerMethod,
): BoundMethod<State> {
  const [serviceKey, methodKey] = row.handler;
  const service = memberOf(memberOf(options, "handlers"), serviceKey);
  const handler = memberOf(service, methodKey);
  if (!isFunction(handler)) {
    throw missing(`handlers.${serviceKey}.${methodKey}`);
  }
  const credentials = row.credentials.map((rule) => {
    const verify = memberOf(options, rule.verify);
    if (!isFunction(verify)) throw missing(rule.verify);
    return {
      ...rule,
      judge: (value: string, context: unknown): unknown =>
        verify.call(options, value, context),
    };
  });
  return {
    row,
    parameterNames:
      row.route.kind === "webhook" ? [] : parameterNames(row.route.path),
    credentials,
    handler: (request, context) => handler.call(service, request, context),
  };
}

function missing(option: string): TypeError {
  return new TypeError(`server option ${option} must be a function`);
}

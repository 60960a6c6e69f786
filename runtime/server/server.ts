import type { BoundMethod, Host } from "./call.js";
import { withCors } from "./model/cors.js";
import { dispatch } from "./dispatch.js";
import { builtInErrors } from "../wire/errors.js";
import type {
  Handle,
  RpcServer,
  ServerRequest,
  ServerResponse,
} from "./model/exchange.js";
import { unknownRoute } from "./responses/failed-answer.js";
import { toFetch } from "./fetch.js";
import { requireHeaderValue } from "./model/header-value.js";
import { intercept } from "./model/interceptor.js";
import {
  createBodyPlaces,
  createPlaces,
  keyOfMethod,
  limitsOf,
  optionsOf,
} from "./model/limits.js";
import { isFunction, memberOf } from "../values/member.js";
import { type Observe, startObserving } from "./model/observation.js";
import { Refusal } from "./model/refusal.js";
import { errorResponse } from "./responses/response.js";
import {
  createRoutes,
  parameterNames,
  pathOf,
  type Place,
} from "./model/route.js";
import type { ServerMethod } from "./model/server-method.js";
import type { ServerOptions } from "./model/server-options.js";

export type { CorsOptions } from "./model/cors.js";
export type { RequestContext, RequestFacts } from "./model/context.js";
export { type ContextKey, createKey } from "../values/context-key.js";
export type {
  RpcServer,
  ServerRequest,
  ServerResponse,
} from "./model/exchange.js";
export type { Interceptor, Next, ServerCall } from "./model/interceptor.js";
export type { Observe, Outcome } from "./model/observation.js";
export type {
  CredentialRule,
  ServerMethod,
  ServerRoute,
  Verify,
} from "./model/server-method.js";
export type {
  ErrorInfo,
  MethodOptions,
  ResponseValidation,
  ServerOptions,
} from "./model/server-options.js";

export type { Check } from "../values/validation.js";

/**
 * Creates a server from a generated method table.
 *
 * Webhooks are received at every path. The `webhook-event` header names one. If
 * there is only one, the header may be missing.
 *
 * Input: options with `handlers`, `acceptParameters`, and the verifiers that
 * the table names; and the method table.
 * Errors: `TypeError` if a handler or verifier is missing, if the options name
 * an unknown method or contain text that headers cannot contain, if two methods
 * share an HTTP method and a path, or if only some methods are webhooks.
 */
export function createServer<State = undefined>(
  options: ServerOptions<State>,
  methods: readonly ServerMethod[],
): RpcServer {
  assertMethodsKnown(options, methods);
  const host = createHost(options);
  const bound = methods.map((row) => bindMethod(host, row));
  if (methods.some(isWebhook)) return createReceiver(host, bound);

  const { cors, observe } = options;
  const entries = bound.flatMap(entriesOf);
  const find = createRoutes(entries, ({ place }) => place);
  const answer = (request: ServerRequest): Promise<ServerResponse> => {
    const match = find(pathOf(request.target));
    if (match === null) return answerUnknown(request, observe);
    const entry = match.endpoint.byVerb.get(request.method);
    if (entry === undefined) {
      return answerWrongVerb(request, match.endpoint.allow, observe);
    }
    return dispatch(host, entry.method, match.values, request);
  };
  const allowAt = (target: string): string | null =>
    find(pathOf(target))?.endpoint.allow ?? null;
  const handle = withHead(
    cors === undefined ? answer : withCors(cors, methods, allowAt, answer),
  );
  const matches = (target: string): boolean => allowAt(target) !== null;
  return { fetch: toFetch(handle), handle, matches };
}

/**
 * Combines servers into one. The first one with a matching path responds.
 *
 * Errors: none. For an unknown path, the first server returns 404
 * `WebrpcBadRoute`.
 */
export function composeServers(...servers: readonly RpcServer[]): RpcServer {
  const find = (target: string): RpcServer | undefined =>
    servers.find((server) => server.matches(target));
  const handle = withHead(
    (request) =>
      (find(request.target) ?? servers[0])?.handle(request) ??
      answerUnknown(request),
  );
  const matches = (target: string): boolean => find(target) !== undefined;
  return { fetch: toFetch(handle), handle, matches };
}

/**
 * Removes the body from responses to HEAD, because some hosts would send it.
 */
function withHead(handle: Handle): Handle {
  return (request) =>
    request.method === "HEAD"
      ? handle(request).then(withoutBody)
      : handle(request);
}

function withoutBody(answer: ServerResponse): ServerResponse {
  answer.stream?.cancel();
  return { status: answer.status, headers: answer.headers, body: "" };
}

/** Header that names the method. */
const eventHeader = "webhook-event";

/** Creates a server for webhooks, which responds at every path. */
function createReceiver<State>(
  host: Host<State>,
  methods: readonly BoundMethod<State>[],
): RpcServer {
  if (!methods.every(({ row }) => isWebhook(row))) {
    throw new TypeError("a server of webhooks must have no other methods");
  }
  const { observe } = host.options;
  const byName = new Map(methods.map((method) => [method.row.name, method]));
  const [only] = methods.length === 1 ? methods : [];
  const isAnyEvent =
    only?.row.route.kind === "webhook" && only.row.route.isAnyEvent === true;
  const handle = withHead((request) => {
    const event = isAnyEvent ? null : request.header(eventHeader);
    const method = event === null ? only : byName.get(event);
    if (method === undefined) {
      return refuse(request, observe, unknownEvent(event));
    }
    return request.method === "POST"
      ? dispatch(host, method, [], request)
      : answerWrongVerb(request, "POST", observe);
  });
  return { fetch: toFetch(handle), handle, matches: () => true };
}

function isWebhook({ route }: ServerMethod): boolean {
  return route.kind === "webhook";
}

function unknownEvent(event: string | null): Refusal {
  const got = event === null ? "nothing" : JSON.stringify(event.slice(0, 40));
  const cause = `${eventHeader}: expected the name of a method, got ${got}`;
  return new Refusal(builtInErrors.WebrpcBadRoute, cause);
}

function answerUnknown(
  request: ServerRequest,
  observe?: Observe,
): Promise<ServerResponse> {
  return refuse(request, observe, unknownRoute(request));
}

function answerWrongVerb(
  request: ServerRequest,
  allow: string,
  observe?: Observe,
): Promise<ServerResponse> {
  const path = pathOf(request.target);
  const cause = `${path} accepts ${allow}, not ${request.method}`;
  const refusal = new Refusal(builtInErrors.WebrpcBadMethod, cause);
  return refuse(request, observe, refusal, { allow });
}

/** Responds to a request that matches no method. */
function refuse(
  request: ServerRequest,
  observe: Observe | undefined,
  refusal: Refusal,
  headers?: Readonly<Record<string, string>>,
): Promise<ServerResponse> {
  const finish = startObserving(observe, request, null);
  const response = errorResponse(refusal, headers);
  finish?.(response, refusal, null);
  return Promise.resolve(response);
}

/** An RPC method with its path and one of its HTTP methods. */
interface Entry<State> {
  readonly method: BoundMethod<State>;
  readonly place: Place;
}

/** Lists an RPC method once for each of its HTTP methods. */
function entriesOf<State>(method: BoundMethod<State>): readonly Entry<State>[] {
  const { route } = method.row;
  const path = route.kind === "webhook" ? "" : route.path;
  const verbs =
    route.kind === "rest"
      ? ["GET", "HEAD"]
      : method.isRead
        ? ["GET", "HEAD", "POST"]
        : ["POST"];
  return verbs.map((verb) => ({ method, place: { verb, path } }));
}

function createHost<State>(options: ServerOptions<State>): Host<State> {
  const accepts = memberOf(options, "acceptParameters");
  return {
    options,
    places: createPlaces(options, options),
    bodyPlaces: createBodyPlaces(options),
    accepts: isFunction(accepts)
      ? (parameters) => accepts.call(options, parameters)
      : null,
  };
}

function bindMethod<State>(
  { options, places }: Host<State>,
  row: ServerMethod,
): BoundMethod<State> {
  const own = optionsOf(options, row);
  const [serviceKey, methodKey] = row.handler;
  const isRead = options.readsByGet === true && row.isReadonly === true;
  // Caches take `Authorization` into account, but no other credentials.
  const isPersonal = row.route.kind === "rest" && row.credentials.length > 0;
  const service = memberOf(memberOf(options, "handlers"), serviceKey);
  const handler = memberOf(service, methodKey);
  if (!isFunction(handler)) {
    throw missing(`handlers.${serviceKey}.${methodKey}`);
  }
  const credentials = row.credentials.map((rule) => {
    const verify = memberOf(options, rule.verify);
    if (!isFunction(verify)) throw missing(rule.verify);
    return { ...rule, verifier: verify.bind(options) };
  });
  return {
    row,
    parameterNames:
      row.route.kind === "webhook" ? [] : parameterNames(row.route.path),
    credentials,
    // Bind the handler, so that stack traces contain no extra frame.
    handler: intercept(options.interceptors ?? [], handler.bind(service)),
    limits: limitsOf(options, own),
    places: [createPlaces(options, own), places].flatMap((each) => each ?? []),
    isRead,
    cacheControl:
      requireHeaderValue(
        `methods["${keyOfMethod(row)}"].cacheControl`,
        own.cacheControl,
      ) ??
      requireHeaderValue("cacheControl", options.cacheControl) ??
      (isRead || isPersonal ? "private, no-cache" : null),
  };
}

/**
 * Rejects misspelled names, because they would leave methods without limits. A
 * receiver of one webhook can share options with those of its service.
 */
function assertMethodsKnown<State>(
  options: ServerOptions<State>,
  methods: readonly ServerMethod[],
): void {
  if (methods.some(isWebhook)) return;
  const known = new Set(methods.map(keyOfMethod));
  for (const key of Object.keys(options.methods ?? {})) {
    if (known.has(key)) continue;
    throw new TypeError(
      `server option \`methods\` names the unknown method ${key}`,
    );
  }
}

function missing(option: string): TypeError {
  return new TypeError(`server option ${option} must be a function`);
}

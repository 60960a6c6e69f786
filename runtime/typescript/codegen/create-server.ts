import type { BoundMethod, Host } from "../server/call.js";
import { withCors } from "../server/model/cors.js";
import { dispatch } from "../server/dispatch.js";
import { builtInErrors } from "../wire/errors.js";
import type {
  RpcServer,
  ServerRequest,
  ServerResponse,
} from "../server/model/exchange.js";
import { headersOf, isInQuery } from "../server/model/credential-place.js";
import { toFetch } from "../server/fetch.js";
import { withHead } from "../server/model/head.js";
import { requireHeaderValue } from "../server/model/response-headers.js";
import {
  assertMethodsKnown,
  assertReceiverOptions,
} from "../server/model/known-options.js";
import { intercept } from "../server/model/interceptor.js";
import {
  createBodyPlaces,
  createMemory,
  createPlaces,
  keyOfMethod,
  limitsOf,
  optionsOf,
  requireNumbers,
} from "../server/model/limits.js";
import { requireNumber } from "../server/model/option-number.js";
import { isFunction, memberOf } from "../values/member.js";
import { Refusal } from "../server/model/refusal.js";
import {
  createRoutes,
  parameterNames,
  pathOf,
  type RouteAddress,
} from "../server/model/route.js";
import type {
  ReadRequest,
  ServerMethod,
} from "../server/model/server-method.js";
import { hideCredentials } from "../server/requests/query-credentials.js";
import type { ServerOptions } from "../server/model/server-options.js";
import { ConditionalRead } from "../server/responses/conditional-read.js";
import { answerUnknown, answerWrongVerb, refuse } from "../server/unmatched.js";

export { readBasicCredential } from "../wire/basic.js";
export type {
  RequiredCaller,
  RequiredIdempotency,
  RequiredState,
} from "../server/model/server-options.js";

/**
 * Creates a server from a generated method table.
 *
 * Webhooks are received at every path. The `webhook-event` header, which may be
 * missing if there is only one, names it.
 *
 * Input: options with `handlers`, `acceptParameters`, and the verifiers that
 * the table names; and the method table.
 * Errors: `TypeError` if a handler, a verifier, `idempotency`, or `caller` is
 * missing, if options are unknown, invalid or do not apply to webhooks, if two
 * methods share an HTTP method and a path, or if only some methods are webhooks.
 */
export function createServer<State = undefined>(
  options: ServerOptions<State>,
  methods: readonly ServerMethod[],
): RpcServer {
  assertMethodsKnown(options, methods);
  requireNumbers(options);
  requireNumber("maxBodiesPerTenant", options.maxBodiesPerTenant);
  const host = createHost(options);
  const bound = methods.map((row) => bindMethod(host, row));
  if (methods.some(isWebhook)) return createReceiver(host, bound);

  const { cors, observe } = options;
  const { errorBody, skew } = methods[0] ?? {};
  const unmatched = { observe, errorBody, skew };
  const entries = bound.flatMap(entriesOf);
  const find = createRoutes(entries, ({ place }) => place);
  const answer = (request: ServerRequest): Promise<ServerResponse> => {
    const match = find(pathOf(request.target), request.method);
    if (match === null) return answerUnknown(request, unmatched);
    const entry = match.endpoint.byVerb.get(request.method);
    if (entry === undefined) {
      return answerWrongVerb(request, match.endpoint.allow, unmatched);
    }
    return dispatch(host, entry.method, match.values, request);
  };
  const allowAt = (target: string): string | null =>
    find(pathOf(target), "")?.endpoint.allow ?? null;
  const inQuery = new Set(
    methods
      .flatMap(({ credentials }) => credentials.filter(isInQuery))
      .map(({ header }) => header.slice(1)),
  );
  const told =
    skew === undefined
      ? answer
      : async (request: ServerRequest) => {
          const methodOf = (): ServerMethod | null => {
            const match = find(pathOf(request.target), request.method);
            const entry = match?.endpoint.byVerb.get(request.method);
            return entry?.method.row ?? null;
          };
          return skew.tell(await answer(request), request, methodOf);
        };
  const hidden = inQuery.size === 0 ? told : hideCredentials(inQuery, told);
  const handle = withHead(
    cors === undefined ? hidden : withCors(cors, methods, allowAt, hidden),
  );
  const matches = (target: string): boolean => allowAt(target) !== null;
  return { fetch: toFetch(handle), handle, matches };
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
  assertReceiverOptions(host.options);
  const { observe } = host.options;
  const unmatched = { observe, errorBody: methods[0]?.row.errorBody };
  const byName = new Map(methods.map((method) => [method.row.name, method]));
  const [only] = methods.length === 1 ? methods : [];
  const isAnyEvent =
    only?.row.route.kind === "webhook" && only.row.route.isAnyEvent === true;
  const handle = withHead((request) => {
    const event = isAnyEvent ? null : request.header(eventHeader);
    const method = event === null ? only : byName.get(event);
    if (method === undefined) {
      return refuse(request, unmatched, unknownEvent(event));
    }
    return request.method === "POST"
      ? dispatch(host, method, [], request)
      : answerWrongVerb(request, "POST", unmatched);
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

/** An RPC method with its path and one of its HTTP methods. */
interface Entry<State> {
  readonly method: BoundMethod<State>;
  readonly place: RouteAddress;
}

/** Lists an RPC method once for each of its HTTP methods. */
function entriesOf<State>(method: BoundMethod<State>): readonly Entry<State>[] {
  const { route } = method.row;
  const path = route.kind === "webhook" ? "" : route.path;
  const { verb = "GET" } = route.kind === "rest" ? route : { verb: "POST" };
  const isRead = verb === "GET" || method.isRead;
  const verbs = [...(isRead ? ["GET", "HEAD"] : []), verb].filter(
    (each, index, all) => all.indexOf(each) === index,
  );
  return verbs.map((verb) => ({ method, place: { verb, path } }));
}

function createHost<State>(options: ServerOptions<State>): Host<State> {
  const accepts = memberOf(options, "acceptParameters");
  return {
    options,
    places: createPlaces(options, options),
    bodyPlaces: createBodyPlaces(options),
    memory: createMemory(options),
    accepts: isFunction(accepts)
      ? (parameters) => accepts.call(options, parameters)
      : null,
  };
}

function bindMethod<State>(
  { memory, options, places }: Host<State>,
  row: ServerMethod,
): BoundMethod<State> {
  const own = optionsOf(options, row);
  requireNumbers(own, `methods["${keyOfMethod(row)}"].`);
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
  const { idempotency = null } = row.idempotencyKey ? options : {};
  if (row.idempotencyKey && idempotency === null) {
    throw new TypeError(
      `server option idempotency is required by ${keyOfMethod(row)}`,
    );
  }
  if (row.idempotencyKey && row.credentials.length > 0) {
    if (!isFunction(options.caller)) throw missing("caller");
  }
  const { route } = row;
  const parameters = route.kind === "webhook" ? [] : parameterNames(route.path);
  const limits = limitsOf(options, own);
  const { body, upload } = limits;
  memory?.fit(row.upload === undefined ? body.maxBytes : upload.maxBytes);
  const control =
    requireHeaderValue(
      `methods["${keyOfMethod(row)}"].cacheControl`,
      own.cacheControl,
    ) ??
    requireHeaderValue("cacheControl", options.cacheControl) ??
    (isRead || isPersonal ? "private, no-cache" : null);
  return {
    row,
    parameterNames: parameters,
    credentials,
    // Bind the handler, so that stack traces contain no extra frame.
    handler: intercept(options.interceptors ?? [], handler.bind(service)),
    limits,
    read: readerOf(row, parameters),
    places: [createPlaces(options, own), places].flatMap((each) => each ?? []),
    idempotency,
    isRead,
    conditional:
      control === null
        ? null
        : new ConditionalRead(row, headersForCaches(row, control)),
  };
}

function readerOf(
  row: ServerMethod,
  parameters: readonly string[],
): ReadRequest | null {
  const { route } = row;
  switch (route.kind) {
    case "rpc":
      return route.read?.(row) ?? null;
    case "rest":
      return route.read(row, route, parameters);
    case "webhook":
      return null;
  }
}

/**
 * Returns the headers of responses to GET for caches, without a tag.
 *
 * Shared caches do not store responses to requests with a credential in the
 * query, as they do by themselves for `Authorization` (RFC 9111, section 3.5).
 * Callers with different credentials, or other values in headers, may get
 * different responses.
 */
function headersForCaches(
  { credentials, route }: ServerMethod,
  control: string,
): Readonly<Record<string, string>> {
  const isSafe =
    /\b(?:must-revalidate|no-store|private|public|s-maxage)\b/iu.test(
      control,
    ) || !credentials.some(isInQuery);
  const names = [
    ...headersOf(credentials),
    ...(route.kind === "rest" ? Object.keys(route.headers ?? {}) : []),
  ];
  return {
    "cache-control": isSafe ? control : `private, ${control}`,
    ...(names.length > 0 && { vary: names.join(", ") }),
  };
}

function missing(option: string): TypeError {
  return new TypeError(`server option ${option} must be a function`);
}

import { headersOf } from "./credential-place.js";
import type { ServerRequest, ServerResponse } from "./exchange.js";
import { declaredHeaders, requireHeaderValue } from "./response-headers.js";
import type { ServerMethod } from "./server-method.js";

/** The web pages that may call a server and the headers that they may use. */
export interface CorsOptions {
  /**
   * Origins such as `https://app.example.com`, or `*` for all.
   */
  readonly origins: "*" | readonly string[];
  /**
   * Whether pages of these origins can send and receive cookies, and see all
   * answers to the user of a cookie. Not for `*`. Default: false.
   */
  readonly credentials?: boolean;
  /** Request headers to allow in addition to the contract's. */
  readonly headers?: readonly string[];
  /** Response headers that pages may read in addition to the contract's. */
  readonly exposedHeaders?: readonly string[];
  /**
   * How long browsers may cache a preflight response, in seconds. Default:
   * 7,200.
   */
  readonly maxAgeSeconds?: number;
}

/**
 * Errors: `TypeError` if the option is neither `*` nor a list of origins as
 * browsers send them, or if pages that are not known could send cookies.
 */
function requireOrigins({ credentials, origins }: CorsOptions): void {
  if (credentials === true && (origins === "*" || origins.includes("null"))) {
    throw new TypeError(
      "server option cors.credentials: expected a list of origins without null",
    );
  }
  if (origins === "*") return;
  const isList = Array.isArray(origins);
  const wrong = isList ? origins.find((each) => !isOrigin(each)) : origins;
  if (wrong === undefined) return;
  throw new TypeError(
    "server option cors.origins: expected `*` or a list of origins such as " +
      `https://app.example.com, got ${JSON.stringify(wrong)}`,
  );
}

/** Apps have schemes of their own. */
const origin = /^(?:null|[a-z][a-z\d+.-]*:\/\/[^/?#*\s]+)$/u;

/** Whether a text is an origin as browsers send it. */
function isOrigin(text: string): boolean {
  if (!origin.test(text) || !/^https?:/u.test(text)) return origin.test(text);
  // Browsers send hosts in lower case, and no default ports.
  return URL.canParse(text) && new URL(text).origin === text;
}

type Handle = (request: ServerRequest) => Promise<ServerResponse>;

const twoHours = 7200;

/**
 * Responds to preflights and allows permitted origins to read every response
 * (Fetch Standard, section 3.2).
 *
 * Input: `allowAt` returns the HTTP methods of a path in the format of `Allow`,
 * or null if the path has no method.
 */
export function withCors(
  options: CorsOptions,
  methods: readonly ServerMethod[],
  allowAt: (target: string) => string | null,
  handle: Handle,
): Handle {
  requireOrigins(options);
  const exposed = requireHeaderValue(
    "cors.exposedHeaders",
    exposedHeaders(methods, options.exposedHeaders ?? []),
  );
  const allowHeaders = requireHeaderValue(
    "cors.headers",
    allowedHeaders(methods, options.headers ?? []),
  );
  const maxAge = String(options.maxAgeSeconds ?? twoHours);
  return async (request) => {
    const origin = originHeaders(options, request.header("origin"), exposed);
    const allow = isPreflight(request) ? allowAt(request.target) : null;
    if (allow === null) {
      const answer = await handle(request);
      return { ...answer, headers: joinHeaders(answer.headers, origin) };
    }
    const headers = {
      ...origin,
      "access-control-allow-methods": allow,
      "access-control-allow-headers": allowHeaders,
      "access-control-max-age": maxAge,
    };
    return { status: 204, headers, body: "" };
  };
}

/**
 * Adds the CORS headers to a response's headers. `Vary` contains the values
 * from both sets of headers.
 */
function joinHeaders(
  answer: ServerResponse["headers"],
  origin: ServerResponse["headers"],
): ServerResponse["headers"] {
  const vary = [origin["vary"], answer["vary"]].filter(Boolean).join(", ");
  return { ...answer, ...origin, ...(vary !== "" && { vary }) };
}

function isPreflight(request: ServerRequest): boolean {
  return (
    request.method === "OPTIONS" &&
    request.header("origin") !== null &&
    request.header("access-control-request-method") !== null
  );
}

function originHeaders(
  { credentials, origins }: CorsOptions,
  origin: string | null,
  exposed: string,
): Readonly<Record<string, string>> {
  const expose = { "access-control-expose-headers": exposed };
  if (origins === "*") return { "access-control-allow-origin": "*", ...expose };
  // Also send `Vary` to other origins, so that caches store their responses
  // separately.
  const vary = { vary: "Origin" };
  if (origin === null || !origins.includes(origin)) return vary;
  const allowed = { "access-control-allow-origin": origin, ...expose, ...vary };
  return credentials === true
    ? { ...allowed, "access-control-allow-credentials": "true" }
    : allowed;
}

/** Response headers that clients read. */
function exposedHeaders(
  methods: readonly ServerMethod[],
  others: readonly string[],
): string {
  const hasFiles = methods.some(({ download }) => download !== undefined);
  const known = hasFiles
    ? ["Retry-After", "Content-Disposition"]
    : ["Retry-After"];
  const ofKeys = methods.some((each) => each.idempotencyKey !== undefined)
    ? ["Idempotency-State"]
    : [];
  const contract = methods.some(({ skew }) => skew !== undefined)
    ? ["Webrpc"]
    : [];
  const all = [
    ...known,
    ...ofKeys,
    ...contract,
    ...methods.flatMap(declaredHeaders),
    ...others,
  ];
  return [...new Set(all)].join(", ");
}

/** Request headers that generated clients and webrpc's clients send. */
function allowedHeaders(
  methods: readonly ServerMethod[],
  others: readonly string[],
): string {
  const credentials = methods.flatMap((method) =>
    headersOf(method.credentials),
  );
  const inHeaders = methods.flatMap(({ route }) =>
    route.kind === "rest" ? Object.keys(route.headers ?? {}) : [],
  );
  const known = ["Content-Type", "Webrpc", "Request-Timeout-Ms"];
  const hasKeys = methods.some((each) => each.idempotencyKey !== undefined);
  const key = hasKeys ? ["Idempotency-Key"] : [];
  const all = [...known, ...key, ...credentials, ...inHeaders, ...others];
  return [...new Set(all)].join(", ");
}

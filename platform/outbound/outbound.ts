import { isIP } from "node:net";

import { Agent, type Dispatcher } from "undici";

import { orNull } from "../process/failures/or-null.js";
import { findAddresses } from "./find-addresses.js";
import {
  createGuardedConnect,
  type Guard,
  refusal,
} from "./guarded-connect.js";
import { OutboundError } from "./outbound-error.js";
import { isPublicAddress } from "./public-address.js";
import { readBody } from "./read-body.js";
import { withDeadline } from "./with-deadline.js";

/** Sends requests to third-party URLs, but not to private addresses. */
export interface Outbound {
  /**
   * Requests an `http` or `https` URL.
   *
   * Errors: `OutboundError`; the reason of `signal` if it is aborted.
   */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /**
   * Returns why a URL is not allowed, or null if it is allowed. An unknown host
   * is accepted, because it may exist later. Each request checks the addresses
   * again.
   */
  problemOf(url: string): Promise<string | null>;
  /** Closes all connections and aborts running requests. */
  close(): Promise<void>;
}

/** An outbound request. */
export interface OutboundRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The timeout of the whole request: DNS, connections, redirects and body. */
  readonly timeoutMs: number;
  /** The maximum size of the decompressed body. */
  readonly maxBytes: number;
  /**
   * The number of redirects to follow with GET. The guard checks each one. The
   * default is 0.
   */
  readonly maxRedirects?: number;
  readonly signal?: AbortSignal;
}

/** The response, regardless of its status. */
export interface OutboundAnswer {
  readonly status: number;
  /** The headers, with names in lowercase. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decompressed body. */
  readonly body: Uint8Array;
}

/**
 * Creates a client for third-party URLs.
 *
 * Input: whether private addresses are allowed, for tests and local networks.
 */
export function createOutbound(allowPrivate: boolean): Outbound {
  return createGuardedOutbound(allowPrivate ? () => true : isPublicAddress);
}

/** The maximum time that a connection stays open without a request. */
const idleMs = 4000;

/** Creates a client that only connects to addresses that a guard allows. */
export function createGuardedOutbound(guard: Guard): Outbound {
  const agent = new Agent({
    connect: createGuardedConnect(guard),
    // There is no limit on the connections to a host. Otherwise, requests of one
    // project would wait for those of others, and their time would run out.
    connections: null,
    // A host can ask for minutes. With many names, it would use up the sockets.
    keepAliveMaxTimeout: idleMs,
    // `timeoutMs` covers the whole request instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    request: async (request) => {
      try {
        return await withDeadline(request.timeoutMs, request.signal, (signal) =>
          follow(agent, request, signal),
        );
      } catch (error) {
        request.signal?.throwIfAborted();
        throw toOutboundError(error);
      }
    },
    problemOf: (url) => findProblem(url, guard),
    close: () => agent.destroy(),
  };
}

async function follow(
  agent: Agent,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const first = readTarget(request.url);
  const { method, maxRedirects = 0 } = request;
  let url = first;
  for (let hops = method === "GET" ? maxRedirects : 0; ; hops -= 1) {
    // The headers are only meant for the original host.
    const { headers = {} } = url.origin === first.origin ? request : {};
    const hop = { ...request, headers };
    const answer = await exchange(agent, url, hop, signal);
    const { location } = answer.headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status);
    if (hops === 0 || !isRedirect || location === undefined) return answer;
    url = readTarget(location, url);
  }
}

async function exchange(
  agent: Agent,
  url: URL,
  { method, headers, body, maxBytes }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const answer = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { "accept-encoding": "gzip, deflate, br", ...headers },
    body: body ?? null,
    signal,
  });
  // A body can still emit an error after it is closed early.
  answer.body.on("error", () => undefined);
  const status = answer.statusCode;
  const joined = joinHeaders(answer.headers);
  const encoding = joined["content-encoding"] ?? "";
  try {
    const read = await readBody(answer.body, encoding, maxBytes);
    return { status, headers: joined, body: read };
  } catch (error) {
    const { reason, message } = toOutboundError(error);
    throw new OutboundError(reason, message, status);
  }
}

function joinHeaders(
  headers: Dispatcher.ResponseData["headers"],
): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value = ""]) => [
    name,
    Array.isArray(value) ? value.join(", ") : value,
  ]);
  return Object.fromEntries(entries);
}

/** Parses a target. Errors: `OutboundError` with reason `refused`. */
function readTarget(text: string, base?: URL): URL {
  // Once the JIT compiler has optimized it, `URL.canParse` in Node 20 rejects
  // hosts such as `é.example`.
  const url = orNull(() => new URL(text, base));
  if (url === null) throw new OutboundError("refused", "it is not a URL");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const message = "only http and https are allowed";
    throw new OutboundError("refused", message);
  }
  if (url.username !== "" || url.password !== "") {
    const message = "a URL with a user name or password is not allowed";
    throw new OutboundError("refused", message);
  }
  return url;
}

/** Tells whoever runs a platform for a local network how to allow a host. */
function refused(host: string): string {
  return `${refusal(host).message}, and the platform's setting allowPrivateTargets is false`;
}

async function findProblem(text: string, guard: Guard): Promise<string | null> {
  try {
    const host = readTarget(text).hostname.replace(/^\[|\]$/gu, "");
    if (isIP(host) !== 0) return guard(host) ? null : refused(host);
    // Names of the local host (RFC 6761) often have no DNS record.
    if (/(?:^|\.)localhost\.?$/u.test(host) && !guard("127.0.0.1")) {
      return refused(host);
    }
    // An unknown host may exist later.
    const found = await findAddresses(host).catch(() => []);
    const isAllowed = found.some(({ address }) => guard(address));
    if (found.length === 0 || isAllowed) return null;
    return refused(host);
  } catch (error) {
    return toOutboundError(error).message;
  }
}

/** The error code for headers that exceed Node's limit. */
const overflowCode = "UND_ERR_HEADERS_OVERFLOW";

function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  const reason = code === overflowCode ? "too-large" : "unreachable";
  return new OutboundError(reason, `no response (${code})`);
}

/**
 * Returns the error's code, e.g. `ECONNREFUSED`, because its message could
 * reveal internal addresses.
 */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error ? String(error.code) : error.name;
}

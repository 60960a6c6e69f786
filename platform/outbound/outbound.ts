import { isIP } from "node:net";

import { Agent, type Dispatcher } from "undici";

import {
  createGuardedConnect,
  findAddresses,
  type Guard,
  refusal,
} from "./guarded-connect.js";
import { OutboundError } from "./outbound-error.js";
import { isPublicAddress } from "./public-address.js";
import { readBody } from "./read-body.js";
import { withDeadline } from "./with-deadline.js";

/** Asks hosts that others name, without being led to where they cannot go. */
export interface Outbound {
  /**
   * Asks a URL of `http` or `https`.
   *
   * Errors: `OutboundError`; the reason of `signal`, when that is aborted.
   */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /**
   * What speaks against a URL, for those who name one to be asked later; null:
   * nothing. A name that is not known yet may come to be: what counts is where
   * it leads when it is asked.
   */
  problemOf(url: string): Promise<string | null>;
  /** Ends all connections, and what is under way. */
  close(): Promise<void>;
}

/** What is asked. */
export interface OutboundRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Of the whole: names, connections, redirects, the body to its end. */
  readonly timeoutMs: number;
  /** Of the body, unpacked. */
  readonly maxBytes: number;
  /** Redirects to follow, by GET; the guard sees each. 0 unless given. */
  readonly maxRedirects?: number;
  readonly signal?: AbortSignal;
}

/** What is answered, whatever its status. */
export interface OutboundAnswer {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Unpacked. */
  readonly body: Uint8Array;
}

/** Whether private networks may be reached, for tests and networks of one's own. */
export interface OutboundOptions {
  readonly allowPrivate: boolean;
}

/** Opens the way to hosts that others name. */
export function createOutbound({ allowPrivate }: OutboundOptions): Outbound {
  return createGuardedOutbound(allowPrivate ? () => true : isPublicAddress);
}

/** Opens the way to where a guard lets through. */
export function createGuardedOutbound(guard: Guard): Outbound {
  const agent = new Agent({
    connect: createGuardedConnect(guard),
    connections: 16,
    // The deadline of a request counts for all of it.
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
    // Headers are meant for the host that was named.
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
  // Ended early, it may still fail, when nobody listens any more.
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

/** Errors: `OutboundError` with reason `refused`. */
function readTarget(text: string, base?: URL): URL {
  if (!URL.canParse(text, base)) {
    throw new OutboundError("refused", "it is not a URL");
  }
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const message = "only http and https are asked";
    throw new OutboundError("refused", message);
  }
  if (url.username !== "" || url.password !== "") {
    const message = "a URL with a name or password is not asked";
    throw new OutboundError("refused", message);
  }
  return url;
}

async function findProblem(text: string, guard: Guard): Promise<string | null> {
  try {
    const host = readTarget(text).hostname.replace(/^\[|\]$/gu, "");
    const addresses = isIP(host) === 0 ? await findAddresses(host) : [host];
    if (addresses.length === 0 || addresses.some(guard)) return null;
    return refusal(host).message;
  } catch (error) {
    return toOutboundError(error).message;
  }
}

/** Headers larger than Node takes. */
const overflowCode = "UND_ERR_HEADERS_OVERFLOW";

function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  const reason = code === overflowCode ? "too-large" : "unreachable";
  return new OutboundError(reason, `no answer (${code})`);
}

/** E.g. `ECONNREFUSED`. The message may name addresses that are not ours. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error ? String(error.code) : error.name;
}

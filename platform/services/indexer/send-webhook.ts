import {
  type ClientInterceptor,
  createKey,
} from "@ridlkit/runtime/interceptors";
import { signWebhooks } from "@ridlkit/runtime/sign-webhooks";
import { LRUCache } from "lru-cache";

import {
  createIndexerWebhookSender,
  type IndexerWebhookSender,
} from "../../../generated/indexer/client.js";
import type { WebhookNotification } from "../../../generated/indexer/types.js";
import { toExcerpt } from "../../process/failures/to-excerpt.js";
import type { Outbound, OutboundAnswer } from "../../outbound/outbound.js";
import { OutboundError } from "../../outbound/outbound-error.js";

/** The target of a webhook and the project that owns it. */
export interface WebhookTarget {
  readonly projectId: number;
  readonly url: string;
  /** The signing secrets. */
  readonly secrets: readonly string[];
}

/** The reason why sending a webhook failed. */
export interface SendFailure {
  readonly reason: string;
  /** Whether there was no response at all. */
  readonly isSilent: boolean;
  /**
   * Whether the receiver responded with 410, which means that it wants no more
   * webhooks.
   */
  readonly isGone: boolean;
  /** How long the receiver asked to wait, or 0. */
  readonly retryAfterMs: number;
}

/**
 * Sends a webhook, signed with the secrets of its project.
 *
 * Returns null if the receiver accepted it, or else the reason why not.
 * Errors: the reason of the signal if it is aborted.
 */
export type SendWebhook = (
  target: WebhookTarget,
  notification: WebhookNotification,
  signal: AbortSignal,
) => Promise<SendFailure | null>;

/** How long a receiver has to respond. */
const timeoutMs = 10_000;

/**
 * The maximum size of a response body. Reading it allows connections to be
 * reused.
 */
const maxAnswerBytes = 64 * 1024;

/** Creates a function that sends webhooks through the guarded client. */
export function createSendWebhook(outbound: Outbound): SendWebhook {
  const senders = new LRUCache<number, KnownSender>({ max: 10_000 });
  // Import the keys once per project instead of once per webhook.
  const senderOf = ({ projectId, secrets }: WebhookTarget) => {
    const signedWith = secrets.join(" ");
    const known = senders.get(projectId);
    if (known?.signedWith === signedWith) return known.sender;
    const sender = createIndexerWebhookSender({
      fetch: createFetch(outbound),
      headers: { "user-agent": "ridlkit-platform" },
      use: [
        noteResponse,
        signWebhooks(secrets, { id: ({ request }) => uidOf(request) }),
      ],
    });
    senders.set(projectId, { signedWith, sender });
    return sender;
  };
  return async (target, notification, signal) => {
    const { notify } = senderOf(target);
    const context = {};
    const options = { context, signal };
    const result = await notify.result(target.url, notification, options);
    if (result.ok) return null;
    signal.throwIfAborted();
    return failureOf(
      result.error,
      retryAfter.read(context) ?? 0,
      excerpt.read(context) ?? "",
    );
  };
}

/** A project's sender with the project's signing secrets. */
interface KnownSender {
  readonly signedWith: string;
  readonly sender: IndexerWebhookSender;
}

function uidOf(request: unknown): string {
  return String(Object(request).uid);
}

/** How long a busy receiver asked to wait, in milliseconds. */
const retryAfter = createKey<number>("retryAfter");

/** The beginning of a response's body. */
const excerpt = createKey<string>("excerpt");

const excerpts = new WeakMap<Response, string>();

/** The number of characters of a response that are kept with an attempt. */
const excerptLength = 200;

/** Returns the beginning of a body as one line of text. */
function excerptOf(body: Uint8Array): string {
  // A character has at most four bytes.
  const start = Buffer.from(body.subarray(0, 4 * excerptLength)).toString();
  return toExcerpt(start, excerptLength);
}

/**
 * Notes the beginning of a response, and the delay in seconds of a busy receiver.
 * Ignores dates.
 */
const noteResponse: ClientInterceptor = (next) => (call) => {
  const noting = async (url: string, init: RequestInit) => {
    const response = await (call.fetch ?? fetch)(url, init);
    const seconds = response.headers.get("retry-after") ?? "";
    const isBusy = response.status === 429 || response.status === 503;
    if (isBusy && /^\d+$/u.test(seconds))
      retryAfter.write(call.context, Number(seconds) * 1000);
    excerpt.write(call.context, excerpts.get(response) ?? "");
    return response;
  };
  return next({ ...call, fetch: noting });
};

/** Creates a `fetch` that sends through the guarded client. */
function createFetch(outbound: Outbound): typeof fetch {
  return async (url, init = {}) => {
    const { signal } = init;
    const request = outbound.request({
      url: String(url),
      method: "POST",
      headers: Object.fromEntries(new Headers(init.headers)),
      body: String(init.body),
      timeoutMs,
      maxBytes: maxAnswerBytes,
      ...(signal && { signal }),
    });
    const answer = await request.catch(toAnswer);
    const { status } = answer;
    const headers = { "retry-after": answer.headers["retry-after"] ?? "" };
    const isKnown = status >= 200 && status <= 599;
    const response = new Response(null, {
      headers,
      ...(isKnown && { status }),
    });
    excerpts.set(response, excerptOf(answer.body));
    if (isKnown) return response;
    // `Response` does not allow every status that a receiver can send.
    return Object.defineProperties(response, {
      ok: { value: false },
      status: { value: status },
    });
  };
}

/** A response that is too large or does not end is still a response. */
function toAnswer(error: unknown): OutboundAnswer {
  const status = error instanceof OutboundError ? error.status : null;
  if (status === null) throw error;
  return { status, headers: {}, body: new Uint8Array() };
}

function failureOf(
  error: { readonly cause?: unknown; readonly status: number },
  retryAfterMs: number,
  answer: string,
): SendFailure {
  const { cause, status } = error;
  if (status > 0) {
    const reason = `responded with ${status}${answer && `: ${answer}`}`;
    return { reason, isSilent: false, isGone: status === 410, retryAfterMs };
  }
  if (!(cause instanceof OutboundError)) throw error;
  const { message: reason } = cause;
  return { reason, isSilent: true, isGone: false, retryAfterMs: 0 };
}

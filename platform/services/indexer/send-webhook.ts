import { signWebhooks } from "@ridlkit/runtime/sign-webhooks";
import { LRUCache } from "lru-cache";

import {
  createIndexerWebhookSender,
  type IndexerWebhookSender,
} from "../../../generated/indexer/client.js";
import type { WebhookNotification } from "../../../generated/indexer/types.js";
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
 * The maximum size of a response body. Bodies are ignored, but reading them
 * allows connections to be reused.
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
      use: [signWebhooks(secrets, { id: ({ request }) => uidOf(request) })],
    });
    senders.set(projectId, { signedWith, sender });
    return sender;
  };
  return async (target, notification, signal) => {
    const { notify } = senderOf(target);
    const result = await notify.result(target.url, notification, { signal });
    if (result.ok) return null;
    signal.throwIfAborted();
    return failureOf(result.error);
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

/** Thrown by a sender's `fetch` if the receiver does not accept the webhook. */
class RejectionError extends Error {
  readonly status: number;
  readonly retryAfterMs: number;

  constructor(status: number, retryAfterMs: number) {
    super(`responded with ${status}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Creates a `fetch` that uses only the status of a response. The client would
 * take an error's status and name from the body, which can contain anything.
 */
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
    const { status, headers } = await request.catch(toAnswer);
    // `Response` does not allow every status that a receiver can send.
    if (status < 200 || status > 299) {
      throw new RejectionError(status, readRetryAfter(status, headers));
    }
    return new Response(null, { status });
  };
}

/** A response that is too large or does not end is still a response. */
function toAnswer(error: unknown): Pick<OutboundAnswer, "headers" | "status"> {
  const status = error instanceof OutboundError ? error.status : null;
  if (status === null) throw error;
  return { status, headers: {} };
}

/** Reads the delay of a busy receiver, in milliseconds. Ignores dates. */
function readRetryAfter(
  status: number,
  { "retry-after": seconds = "" }: OutboundAnswer["headers"],
): number {
  const isBusy = status === 429 || status === 503;
  return isBusy && /^\d+$/u.test(seconds) ? Number(seconds) * 1000 : 0;
}

function failureOf(error: { readonly cause?: unknown }): SendFailure {
  const { cause } = error;
  if (cause instanceof RejectionError) {
    const { message: reason, retryAfterMs, status } = cause;
    return { reason, isSilent: false, isGone: status === 410, retryAfterMs };
  }
  if (!(cause instanceof OutboundError)) throw error;
  const { message: reason } = cause;
  return { reason, isSilent: true, isGone: false, retryAfterMs: 0 };
}

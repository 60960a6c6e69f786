import { signWebhooks } from "@ridlkit/runtime/sign-webhooks";
import { LRUCache } from "lru-cache";

import {
  createIndexerWebhookSender,
  type IndexerWebhookSender,
} from "../../../generated/indexer/client.js";
import type { WebhookNotification } from "../../../generated/indexer/types.js";
import type { Outbound } from "../../outbound/outbound.js";
import { OutboundError } from "../../outbound/outbound-error.js";

/** Where a webhook goes, and whose it is. */
export interface WebhookTarget {
  readonly projectId: number;
  readonly url: string;
  /** What it is signed with. */
  readonly secrets: readonly string[];
}

/** Why a webhook has not been received. */
export interface SendFailure {
  readonly reason: string;
  /** Whether there was no answer at all. */
  readonly isSilent: boolean;
  /** Whether the answer was 410: the receiver wants no more webhooks. */
  readonly isGone: boolean;
}

/**
 * Sends a webhook, signed with the secrets of its project.
 *
 * Output: null when it has been received; otherwise why not.
 * Errors: the reason of the signal, when that is aborted.
 */
export type SendWebhook = (
  target: WebhookTarget,
  notification: WebhookNotification,
  signal: AbortSignal,
) => Promise<SendFailure | null>;

/** A receiver has so long. */
const timeoutMs = 10_000;

/** Nobody reads what receivers answer, but connections are used again. */
const maxAnswerBytes = 64 * 1024;

/** Makes what sends webhooks, on the way that is guarded. */
export function createSendWebhook(outbound: Outbound): SendWebhook {
  const senders = new LRUCache<number, KnownSender>({ max: 10_000 });
  // Keys are imported once, and not for each webhook.
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

/** The sender of a project, and the secrets that it signs with. */
interface KnownSender {
  readonly signedWith: string;
  readonly sender: IndexerWebhookSender;
}

function uidOf(request: unknown): string {
  return String(Object(request).uid);
}

function createFetch(outbound: Outbound): typeof fetch {
  return async (url, init = {}) => {
    const { signal } = init;
    try {
      const { status, headers, body } = await outbound.request({
        url: String(url),
        method: "POST",
        headers: Object.fromEntries(new Headers(init.headers)),
        body: String(init.body),
        timeoutMs,
        maxBytes: maxAnswerBytes,
        ...(signal && { signal }),
      });
      const text = body.length === 0 ? null : Buffer.from(body);
      return new Response(text, { status, headers });
    } catch (error) {
      // Too much of an answer is an answer.
      const status = error instanceof OutboundError ? error.status : null;
      if (status === null) throw error;
      return new Response(null, { status });
    }
  };
}

function failureOf({
  cause,
  name,
  status,
}: {
  readonly cause?: unknown;
  readonly name: string;
  readonly status: number;
}): SendFailure {
  return cause instanceof OutboundError
    ? { reason: cause.message, isSilent: true, isGone: false }
    : {
        reason: `answered ${status} (${name})`,
        isSilent: false,
        isGone: status === 410,
      };
}

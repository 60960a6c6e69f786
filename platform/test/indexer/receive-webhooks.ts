import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { Webhook } from "standardwebhooks";

import { createIndexerWebhookReceiver } from "../../../generated/indexer/server.js";
import type { WebhookNotification } from "../../../generated/indexer/types.js";
import { openSiteForTest } from "../support/local-site.js";

/** A webhook receiver and the webhooks it received. */
export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  /** In order of arrival, without rejected webhooks. */
  readonly received: WebhookNotification[];
  /**
   * The webhook ID and the time of each attempt, whether it was rejected or
   * not.
   */
  readonly attempts: { readonly id: string; readonly at: number }[];
}

/**
 * Receives webhooks for the duration of the test, with the generated receiver.
 * Another library also verifies each signature.
 *
 * Input: `refuse` returns the status that rejects an attempt, or null to accept
 * it.
 */
export async function receiveWebhooks(
  secret: string,
  refuse: (attempt: number) => number | null = () => null,
): Promise<WebhookReceiver> {
  const received: WebhookNotification[] = [];
  const attempts: { readonly id: string; readonly at: number }[] = [];
  const webhook = new Webhook(secret);
  const receiver = createIndexerWebhookReceiver({
    secrets: [secret],
    handlers: {
      indexerWebhook: {
        notify: (notification) => void received.push(notification),
      },
    },
  });
  const answer = async (
    message: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const body = await text(message);
    const headers = Object.entries(message.headers).map(
      ([name, value]) => [name, String(value)] as const,
    );
    webhook.verify(body, Object.fromEntries(headers));
    attempts.push({
      id: String(message.headers["webhook-id"]),
      at: performance.now(),
    });
    const status = refuse(attempts.length);
    if (status !== null) {
      response.writeHead(status).end();
      return;
    }
    const request = new Request(`http://receiver.test${message.url}`, {
      method: message.method ?? "",
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body,
    });
    const { status: result } = await receiver.fetch(request);
    response.writeHead(result).end();
  };
  const site = await openSiteForTest((message, response) => {
    answer(message, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  return { url: `${site.url}/hook`, port: site.port, received, attempts };
}

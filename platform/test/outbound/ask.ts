import { afterAll } from "vitest";

import {
  createOutbound,
  type Outbound,
  type OutboundAnswer,
  type OutboundRequest,
} from "../../outbound/outbound.js";

/** Opens a client for the tests in one file. */
export function openOutbound(allowPrivate: boolean): Outbound {
  const outbound = createOutbound(allowPrivate);
  afterAll(outbound.close);
  return outbound;
}

const defaults = { method: "GET", timeoutMs: 5000, maxBytes: 1000 } as const;

export function get(
  outbound: Outbound,
  url: string,
  changes: Partial<OutboundRequest> = {},
): Promise<OutboundAnswer> {
  return outbound.request({ ...defaults, url, ...changes });
}

export function textOf({ body }: OutboundAnswer): string {
  return Buffer.from(body).toString();
}

import { afterAll } from "vitest";

import {
  createOutbound,
  type Outbound,
  type OutboundAnswer,
  type OutboundRequest,
} from "../../outbound/outbound.js";

/** As on the internet: what is private is refused. */
export const guarded = createOutbound({ allowPrivate: false });

/** As at home. */
export const open = createOutbound({ allowPrivate: true });

afterAll(() => Promise.all([guarded.close(), open.close()]));

const usual = { method: "GET", timeoutMs: 5000, maxBytes: 1000 } as const;

export function get(
  outbound: Outbound,
  url: string,
  changes: Partial<OutboundRequest> = {},
): Promise<OutboundAnswer> {
  return outbound.request({ ...usual, url, ...changes });
}

export function textOf({ body }: OutboundAnswer): string {
  return Buffer.from(body).toString();
}

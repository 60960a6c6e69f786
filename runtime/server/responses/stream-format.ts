import { eventType } from "../../wire/event-lines.js";
import type { ServerResponse } from "../model/exchange.js";
import type { ErrorPlace } from "./failed-answer.js";

/** How a stream is written. */
export interface StreamFormat {
  readonly head: ServerResponse;
  /** Sent first, and whenever there was no item for a while. */
  readonly idle: string;
  /** Where the body of an error is. */
  readonly place: ErrorPlace;
  /** Prints an item. Input: its JSON on one line. */
  item(json: string): string;
  /** Prints the error that ends a stream. Input: the response with it. */
  failure(response: ServerResponse): string;
}

const headers = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

function headOf(type: string): ServerResponse {
  const all = { ...headers, "content-type": type };
  return { status: 200, headers: all, body: "" };
}

/** Newline-delimited JSON: one line for each item. */
export const lineFormat: StreamFormat = {
  head: /* @__PURE__ */ headOf("application/x-ndjson"),
  idle: "\n",
  place: "line",
  item: (json) => `${json}\n`,
  failure: ({ body }) => `{"webrpcError":${body}}\n`,
};

/** Server-sent events: one event for each item. */
export const eventFormat: StreamFormat = {
  head: /* @__PURE__ */ headOf(eventType),
  // A comment. Readers ignore the field `status` as well.
  idle: ":\n\n",
  place: "event",
  item: (json) => `data: ${json}\n\n`,
  failure: ({ body, status }) =>
    `event: error\nstatus: ${status}\ndata: ${body}\n\n`,
};

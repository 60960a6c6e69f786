import { eventType } from "../../wire/event-lines.js";
import { endLine, endParameter, errorMember } from "../../wire/stream-end.js";
import type { ServerResponse } from "../model/exchange.js";
import type { ErrorPlace } from "./failed-answer.js";

/** How a stream is written. */
export interface StreamFormat {
  readonly head: ServerResponse;
  /** Sent first, and whenever there was no item for a while. */
  readonly idle: string;
  /** Sent when all items have been sent. Empty if the client did not ask for it. */
  readonly end: string;
  /** Where the body of an error is. */
  readonly place: ErrorPlace;
  /** Prints an item. Input: its JSON on one line. */
  item(json: string): string;
  /** Prints the error that ends a stream. Input: the response with it. */
  failure(response: ServerResponse): string;
}

const headers = {
  // Proxies that compress or buffer would hold items back.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

function headOf(type: string): ServerResponse {
  const all = { ...headers, "content-type": type };
  return { status: 200, headers: all, body: "" };
}

/** The media type of streams of lines. */
export const lineType = "application/x-ndjson";

/**
 * Newline-delimited JSON: one line for each item. Its end is that of the body, as
 * in webrpc.
 */
export const lineFormat: StreamFormat = {
  head: /* @__PURE__ */ headOf(lineType),
  idle: "\n",
  end: "",
  place: "line",
  item: (json) => `${json}\n`,
  failure: ({ body }) => `{"${errorMember}":${body}}\n`,
};

/** The same lines with an end. */
export const endedLineFormat: StreamFormat = {
  ...lineFormat,
  head: /* @__PURE__ */ headOf(lineType + endParameter),
  end: `${endLine}\n`,
  failure: ({ body }) => `[${body}]\n`,
};

/** Server-sent events: one event for each item. */
export const eventFormat: StreamFormat = {
  head: /* @__PURE__ */ headOf(eventType),
  // A comment. Readers ignore the field `status` as well.
  idle: ":\n\n",
  end: "",
  place: "event",
  item: (json) => `data: ${json}\n\n`,
  failure: ({ body, status }) =>
    `event: error\nstatus: ${status}\ndata: ${body}\n\n`,
};

/** The same events with an end, which is an event without data. */
export const endedEventFormat: StreamFormat = {
  ...eventFormat,
  head: /* @__PURE__ */ headOf(eventType + endParameter),
  end: "event: end\n\n",
};

import type { Audience, Effects, Level, Side } from "./change.js";

/**
 * How a message travels. `request`: from a client to a server, which checks it;
 * `response`: the way back, where nobody has to check it; `event`: from the host
 * of a webhook to a receiver, which checks it; `receipt`: what the receiver
 * answers, which nobody reads; `code`: not at all, it is in code alone.
 */
export type Flow = "request" | "response" | "event" | "receipt" | "code";

/**
 * What a change does to the messages that may be written. `narrower`: something
 * written before is no longer right; `wider`: something is written that was not
 * right before.
 */
export interface Shift {
  readonly narrower?: Level | undefined;
  readonly wider?: Level | undefined;
}

/** Who meets either half of a {@link Shift}; null: nobody. */
interface Meeting {
  readonly narrower: Audience;
  readonly wider: Audience | null;
}

/** On the wire, and in code that writes (`narrower`) or reads (`wider`). */
const meetings: Readonly<
  Record<
    Exclude<Flow, "code">,
    { readonly wire: Meeting | null; readonly code: Meeting }
  >
> = {
  request: {
    wire: { narrower: "wire", wider: "wire-strict" },
    code: { narrower: "client-source", wider: "server-source" },
  },
  response: {
    wire: { narrower: "wire-strict", wider: "wire" },
    code: { narrower: "server-source", wider: "client-source" },
  },
  event: {
    wire: { narrower: "wire-strict", wider: "wire" },
    code: { narrower: "client-source", wider: "server-source" },
  },
  receipt: {
    wire: null,
    code: { narrower: "server-source", wider: null },
  },
};

/** Who is hurt by a change of a message. Input: what it does on the wire, and in code. */
export function effectsIn(flow: Flow, wire: Shift, code: Shift = {}): Effects {
  if (flow === "code") {
    const level = code.narrower ?? code.wider;
    return toEffects([
      ["client-source", level],
      ["server-source", level],
    ]);
  }
  const meeting = meetings[flow];
  return toEffects([
    [meeting.wire?.narrower, wire.narrower],
    [meeting.wire?.wider, wire.wider],
    [meeting.code.narrower, code.narrower],
    [meeting.code.wider, code.wider],
  ]);
}

function toEffects(
  list: readonly (readonly [Audience | null | undefined, Level | undefined])[],
): Effects {
  return Object.fromEntries(
    list.filter(([audience, level]) => audience && level),
  );
}

/** What breaks both ways. */
export const breaksBoth: Shift = { narrower: "error", wider: "error" };

/** `error` where the reader checks what it is sent; else it may go well. */
export function levelOfMisfit(flow: Flow): Level {
  return flow === "response" ? "danger" : "error";
}

/** Which of the two kinds of rules looks at it: by who writes. */
export function sideOf(flow: Flow): Side {
  return flow === "request" ? "request" : "response";
}

/** What such messages are called. */
export const nounOf: Readonly<Record<Flow, string>> = {
  request: "requests",
  response: "responses",
  event: "webhooks",
  receipt: "answers to webhooks",
  code: "code",
};

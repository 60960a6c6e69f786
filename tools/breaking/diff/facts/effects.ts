import type { Audience, Effects, Level, Side } from "./change.js";

/**
 * The direction of a message. `request`: from a client to a server, which
 * validates it. `response`: back to the client, which does not have to validate
 * it. `event`: a webhook from the host to a receiver, which validates it.
 * `receipt`: the receiver's response, which nobody reads. `refusal`: the data of
 * a receiver's error, which the host validates. `code`: not on the wire, only in
 * code.
 */
export type Flow =
  "request" | "response" | "event" | "receipt" | "refusal" | "code";

/**
 * The effect of a change on the set of valid messages. `narrower`: some old
 * messages are no longer valid. `wider`: some new messages were not valid
 * before.
 */
export interface Shift {
  readonly narrower?: Level | undefined;
  readonly wider?: Level | undefined;
}

/** The audiences that each half of a {@link Shift} affects. */
interface AffectedAudiences {
  readonly narrower: Audience;
  readonly wider: Audience | null;
}

/**
 * The audiences that changes affect on the wire, and in code that writes or
 * reads messages.
 */
const meetings: Readonly<
  Record<
    Exclude<Flow, "code">,
    {
      readonly wire: AffectedAudiences | null;
      readonly code: AffectedAudiences;
    }
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
  refusal: {
    wire: { narrower: "wire", wider: "wire-strict" },
    code: { narrower: "server-source", wider: "client-source" },
  },
};

/** Determines whom a change to a message affects, on the wire and in code. */
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

/** A change that breaks both directions. */
export const breaksBoth: Shift = { narrower: "error", wider: "error" };

/**
 * Returns `error` if the reader rejects an invalid message, and `danger` if some
 * readers do, or if they only ignore invalid data.
 */
export function levelOfViolation(flow: Flow): Level {
  return flow === "response" || flow === "refusal" ? "danger" : "error";
}

/**
 * Returns the side whose rules examine messages of this flow. Webhooks and
 * their responses count as responses.
 */
export function sideOf(flow: Flow): Side {
  return flow === "request" ? "request" : "response";
}

/** The noun for the messages of each flow. */
export const nounOf: Readonly<Record<Flow, string>> = {
  request: "requests",
  response: "responses",
  event: "webhooks",
  receipt: "responses to webhooks",
  refusal: "errors of webhooks",
  code: "code",
};

import type { Host, Message, Method } from "../../../ir/contract.js";
import type { Conversions } from "../codecs/conversions.js";
import type { Layout, Unit } from "../names/layout.js";

/** The two messages of a method. */
export type Side = "request" | "response";

/** Where the messages of a host are emitted. */
export interface MessageScope {
  readonly layout: Layout;
  readonly host: Host;
}

/** What decides, besides, which of them are converted. */
export interface CodecScope extends MessageScope {
  readonly conversions: Conversions;
}

/** A function that another generated file exports. */
export interface ExportedFunction {
  /** The unit whose `validators.ts` or `codecs.ts` exports it. */
  readonly unit: Unit;
  readonly name: string;
}

/**
 * The check of a message, e.g. `checkGetOrdersRequest` of `validators.ts`;
 * null when the message has no fields, so that there is nothing to check.
 */
export function checkOf(
  scope: MessageScope,
  method: Method,
  side: Side,
): ExportedFunction | null {
  if (method[side].fields.length === 0) return null;
  return functionOf("check", scope, method, side);
}

/**
 * The decoder of a request in `codecs.ts`, or the reader of a response; null when
 * it needs none of its own. Of a request only what changes counts, because a server
 * has validated before.
 */
export function decoderOf(
  scope: CodecScope,
  method: Method,
  side: Side,
): ExportedFunction | null {
  const needs = scope.conversions.fields(method[side].fields);
  const [isNeeded, verb] =
    side === "request"
      ? ([needs.decodes, "decode"] as const)
      : ([needs.guards && needs.reads, "read"] as const);
  return isNeeded ? functionOf(verb, scope, method, side) : null;
}

/** The encoder of a message in `codecs.ts`; null when nothing is converted. */
export function encoderOf(
  scope: CodecScope,
  method: Method,
  side: Side,
): ExportedFunction | null {
  return scope.conversions.fields(method[side].fields).encodes
    ? functionOf("encode", scope, method, side)
    : null;
}

function functionOf(
  verb: "check" | "decode" | "encode" | "read",
  { layout, host }: MessageScope,
  method: Method,
  side: Side,
): ExportedFunction {
  return {
    unit: unitOfMessage(layout, host, method[side]),
    name: `${verb}${layout.names.method(method)[side]}`,
  };
}

/** Where the type of a message is emitted, and the functions that go with it. */
export function unitOfMessage(
  layout: Layout,
  host: Host,
  message: Message,
): Unit {
  return message.struct === null
    ? layout.unitOfHost(host)
    : layout.unitOfType(message.struct);
}

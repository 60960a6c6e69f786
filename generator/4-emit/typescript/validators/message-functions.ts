import type { Host, Message, Method } from "../../../ir/contract.js";
import type { Conversions } from "../codecs/conversions.js";
import type { Layout, Unit } from "../names/layout.js";

/** The two messages of a method. */
export type Side = "request" | "response";

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
  layout: Layout,
  host: Host,
  method: Method,
  side: Side,
): ExportedFunction | null {
  if (method[side].fields.length === 0) return null;
  return functionOf("check", layout, host, method, side);
}

/**
 * The decoder of a request in `codecs.ts`, or the reader of a response; null when
 * it needs none. Of a request only what changes counts, because a server has
 * validated before.
 */
export function decoderOf(
  layout: Layout,
  conversions: Conversions,
  host: Host,
  method: Method,
  side: Side,
): ExportedFunction | null {
  const needs = conversions.fields(method[side].fields);
  const [isNeeded, verb] =
    side === "request"
      ? ([needs.decodes, "decode"] as const)
      : ([needs.guards, "read"] as const);
  return isNeeded ? functionOf(verb, layout, host, method, side) : null;
}

/**
 * The encoder of a message in `codecs.ts`; null when it needs none. Responses
 * with fields always have one: it leaves out what the contract does not know.
 */
export function encoderOf(
  layout: Layout,
  conversions: Conversions,
  host: Host,
  method: Method,
  side: Side,
): ExportedFunction | null {
  const { fields } = method[side];
  const isNeeded =
    side === "request" ? conversions.fields(fields).encodes : fields.length > 0;
  return isNeeded ? functionOf("encode", layout, host, method, side) : null;
}

function functionOf(
  verb: "check" | "decode" | "encode" | "read",
  layout: Layout,
  host: Host,
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

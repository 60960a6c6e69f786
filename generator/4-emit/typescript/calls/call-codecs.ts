import type { Method } from "../../../ir/contract.js";
import type { HostScope } from "./call-scope.js";
import { messageReader } from "../codecs/codec-read.js";
import { isReadOnce } from "../codecs/read-once.js";
import type { Doc } from "../text/format.js";
import { holdsBigints, readsExactResponse } from "../codecs/exact-integers.js";
import {
  decoderOf,
  encoderOf,
  type ExportedFunction,
} from "../validators/message-functions.js";

/** Local names of the codecs around a method; null where none is needed. */
export interface MethodCodec {
  readonly encode: string | null;
  readonly decode: string | null;
}

/** What a client has: its reader may stand in place. */
export interface ClientCodec {
  readonly encode: string | null;
  readonly decode: Doc | null;
}

/** A client encodes requests and decodes responses. */
export function clientCodec(scope: HostScope, method: Method): ClientCodec {
  const encoder = encoderOf(scope, method, "request");
  return {
    encode: importCodec(scope, encoder),
    // Nothing of the answer to a webhook is read.
    decode: method.route.kind === "webhook" ? null : readerOf(scope, method),
  };
}

function readerOf(scope: HostScope, method: Method): Doc | null {
  const { conversions, imports } = scope;
  const reader = decoderOf(scope, method, "response");
  if (reader !== null)
    return isReadOnce(scope.index, scope.host, method)
      ? messageReader(scope, method.response.fields)
      : importCodec(scope, reader);
  const { guards } = conversions.fields(method.response.fields);
  return guards ? imports.runtime("codec", "dropNulls") : null;
}

/** A server decodes requests and encodes responses. */
export function serverCodec(scope: HostScope, method: Method): MethodCodec {
  const encoder = encoderOf(scope, method, "response");
  const decoder = decoderOf(scope, method, "request");
  return {
    encode: importCodec(scope, encoder),
    decode: importCodec(scope, decoder),
  };
}

function importCodec(
  { imports }: HostScope,
  codec: ExportedFunction | null,
): string | null {
  return codec === null
    ? null
    : imports.generated(codec.unit, "codecs", codec.name);
}

/** Functions of `runtime/json` for a client; null where `JSON` will do. */
export interface ExactJson {
  readonly parse: string | null;
  readonly stringify: string | null;
}

/**
 * What stands for `JSON` in a client: neither half of that takes the 64-bit
 * integers that are `bigint`.
 */
export function exactJsonOf(scope: HostScope, method: Method): ExactJson {
  const { request, route } = method;
  const { index, layout } = scope;
  const { options } = layout;
  const parses = readsExactResponse(index, options, method);
  // A GET has no body.
  const writes =
    route.kind !== "rest" && holdsBigints(index, options, request.fields);
  const isWhole = route.kind === "rest" && route.body !== null;
  return {
    parse: parses ? (isWhole ? "parseJson" : "parseJsonObject") : null,
    stringify: writes ? "stringifyMessage" : null,
  };
}

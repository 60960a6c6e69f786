import type { Field, Method, TypeReference } from "../../../ir/contract.js";
import type { HostScope } from "./call-scope.js";
import { acceptsInteger, isWide } from "../codecs/exact-integers.js";
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

/** A client encodes requests and decodes responses. */
export function clientCodec(scope: HostScope, method: Method): MethodCodec {
  const encoder = encoderOf(scope, method, "request");
  return {
    encode: importCodec(scope, encoder),
    // Nothing of the answer to a webhook is read.
    decode: method.route.kind === "webhook" ? null : readerOf(scope, method),
  };
}

function readerOf(scope: HostScope, method: Method): string | null {
  const { conversions, imports } = scope;
  const reader = decoderOf(scope, method, "response");
  if (reader !== null) return importCodec(scope, reader);
  const { guards } = conversions.fields(method.response.fields);
  return guards ? imports.runtime("codec", "dropNulls") : null;
}

/** What a server has besides. */
export interface ServerCodec extends MethodCodec {
  /** In place of `encode`, where it only leaves out what is unknown. */
  readonly keep: string | null;
}

/** A server decodes requests and encodes responses. */
export function serverCodec(scope: HostScope, method: Method): ServerCodec {
  const encoder = encoderOf(scope, method, "response");
  const decoder = decoderOf(scope, method, "request");
  const encode = importCodec(scope, encoder);
  const converts = scope.conversions.fields(method.response.fields).encodes;
  return {
    encode: converts ? encode : null,
    keep: converts ? null : encode,
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
export function exactJsonOf(
  scope: HostScope,
  { request, response, route }: Method,
): ExactJson {
  // Nothing of the answer to a webhook is read, and a GET has no body.
  const parses =
    route.kind !== "webhook" && holdsBigints(scope, response.fields);
  const writes = route.kind !== "rest" && holdsBigints(scope, request.fields);
  const isWhole = route.kind === "rest" && route.body !== null;
  return {
    parse: parses ? (isWhole ? "parseJson" : "parseJsonObject") : null,
    stringify: writes ? "stringifyMessage" : null,
  };
}

function holdsBigints(scope: HostScope, fields: readonly Field[]): boolean {
  if (scope.layout.options.int64 !== "bigint") return false;
  return holds(scope, fields, (type) => isWide(scope.index, type), new Set());
}

/**
 * Whether a server must read the integers of a request without rounding: some
 * may be beyond ±(2^53-1).
 */
export function needsExactReading(
  scope: HostScope,
  { request }: Method,
): boolean {
  const { index, layout } = scope;
  const isExact = (type: TypeReference): boolean =>
    acceptsInteger(index, type) ||
    (layout.options.int64 === "bigint" && isWide(index, type));
  return holds(scope, request.fields, isExact, new Set());
}

/** Whether something in a message is so; `seen`: structs looked at already. */
function holds(
  scope: HostScope,
  fields: readonly Field[],
  isSo: (type: TypeReference) => boolean,
  seen: Set<string>,
): boolean {
  const { index } = scope;
  const within = (reference: TypeReference): boolean => {
    if (isSo(reference)) return true;
    const type = index.resolve(reference);
    switch (type.kind) {
      case "scalar":
        return false;
      case "list":
        return within(type.element);
      case "map":
        return within(type.value);
      case "reference": {
        const declaration = index.type(type.name);
        if (declaration.kind !== "struct" || seen.has(type.name)) return false;
        seen.add(type.name);
        return holds(scope, declaration.fields, isSo, seen);
      }
    }
  };
  return fields.some(
    (field) => !index.isSafeInteger(field) && within(field.type),
  );
}

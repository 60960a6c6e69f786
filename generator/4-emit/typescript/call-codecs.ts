import type { Field, Method, TypeReference } from "../../ir/contract.js";
import type { HostScope } from "./call-scope.js";
import {
  decoderOf,
  encoderOf,
  type ExportedFunction,
} from "./message-functions.js";

/** Local names of the codecs around a method; null where none is needed. */
export interface MethodCodec {
  readonly encode: string | null;
  readonly decode: string | null;
}

/** A client encodes requests and decodes responses. */
export function clientCodec(scope: HostScope, method: Method): MethodCodec {
  const { conversions, host, layout } = scope;
  const encoder = encoderOf(layout, conversions, host, method, "request");
  const decoder = decoderOf(layout, conversions, host, method, "response");
  return {
    encode: importCodec(scope, encoder),
    // Nothing of the answer to a webhook is read.
    decode:
      method.route.kind === "webhook" ? null : importCodec(scope, decoder),
  };
}

/** What a server has besides. */
export interface ServerCodec extends MethodCodec {
  /** In place of `encode`, where it only leaves out what is unknown. */
  readonly keep: string | null;
}

/** A server decodes requests and encodes responses. */
export function serverCodec(scope: HostScope, method: Method): ServerCodec {
  const { conversions, host, layout } = scope;
  const encoder = encoderOf(layout, conversions, host, method, "response");
  const decoder = decoderOf(layout, conversions, host, method, "request");
  const encode = importCodec(scope, encoder);
  const converts = conversions.fields(method.response.fields).encodes;
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

/**
 * Whether a method's messages hold 64-bit integers as `bigint`, which `JSON`
 * neither reads nor writes.
 */
export function needsExactJson(scope: HostScope, method: Method): boolean {
  if (scope.layout.options.int64 !== "bigint") return false;
  const fields = [...method.request.fields, ...method.response.fields];
  return holdsWideInteger(scope, fields, new Set());
}

function holdsWideInteger(
  scope: HostScope,
  fields: readonly Field[],
  seen: Set<string>,
): boolean {
  return fields.some(
    (field) =>
      !scope.index.isSafeInteger(field) && isWide(scope, field.type, seen),
  );
}

/** `seen`: structs looked at already, for they may hold themselves. */
function isWide(
  scope: HostScope,
  reference: TypeReference,
  seen: Set<string>,
): boolean {
  const { index } = scope;
  if (index.isSafeInteger(reference)) return false;
  const type = index.resolve(reference);
  switch (type.kind) {
    case "scalar":
      return type.name === "int64" || type.name === "uint64";
    case "list":
      return isWide(scope, type.element, seen);
    case "map":
      return isWide(scope, type.value, seen);
    case "reference": {
      const declaration = index.type(type.name);
      if (declaration.kind !== "struct" || seen.has(type.name)) return false;
      seen.add(type.name);
      return holdsWideInteger(scope, declaration.fields, seen);
    }
  }
}

import { isRecord } from "../../../generator/ir/is-record.js";
import {
  callMember,
  isHolder,
  type JsonMap,
  readMember,
} from "./schemas/members.js";
import type { ParserSide } from "./schemas/schema-note.js";
import { describeZod } from "./zod-notes.js";

/**
 * Loads a package of the project that contains the router. Returns its exports,
 * or null if it is not installed.
 */
export type PackageLoader = (name: string) => unknown;

/** The JSON Schema of a parser, or why there is none. */
export type ParserSchema =
  | { readonly schema: JsonMap; readonly isPartial: boolean }
  | { readonly fault: string; readonly help: string };

/** Settings of the conversion of parsers. */
export interface ParserContext {
  readonly load: PackageLoader;
  readonly hasTransformer: boolean;
}

const target = "draft-2020-12";

/**
 * Returns the JSON Schema of a parser: as Standard JSON Schema, from Zod, ArkType
 * or Valibot. Never throws.
 */
export function describeParser(
  parser: unknown,
  side: ParserSide,
  context: ParserContext,
): ParserSchema {
  try {
    const { schema, isPartial } = convertParser(parser, side, context);
    // A copy has no accessors, cycles and values that JSON does not have.
    const copy: unknown = JSON.parse(JSON.stringify(schema) ?? "null");
    if (isRecord(copy)) return { schema: copy, isPartial };
  } catch (error) {
    if (error instanceof MissingConverterError) {
      return { fault: error.message, help: error.help };
    }
    const [reason = ""] = describeError(error).split("\n");
    return {
      fault: `the ${side} parser cannot be converted to JSON Schema: ${reason}`,
      help: "any value is accepted",
    };
  }
  return {
    fault: `the ${side} parser does not give its JSON Schema`,
    help: "any value is accepted",
  };
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

class MissingConverterError extends Error {
  readonly help: string;

  constructor(message: string, help: string) {
    super(message);
    this.help = help;
  }
}

/** A schema. It is partial if it does not tell what else the parser does. */
interface Converted {
  readonly schema: unknown;
  readonly isPartial: boolean;
}

function convertParser(
  parser: unknown,
  side: ParserSide,
  { load, hasTransformer }: ParserContext,
): Converted {
  const standard = readMember(parser, "~standard");
  const zod = isHolder(readMember(parser, "_zod"));
  const options = {
    io: side,
    target,
    unrepresentable: "any",
    override: describeZod(hasTransformer, side),
  };
  const isPartial = false;
  const converter = readMember(standard, "jsonSchema");
  if (isHolder(converter)) {
    const libraryOptions = zod ? options : arkOptions;
    const schema = callMember(converter, side, { target, libraryOptions });
    return { schema, isPartial: !zod };
  }
  if (zod) {
    const exports = requirePackage("zod", load, side);
    const call = [exports, readMember(exports, "z"), load("zod/v4")].find(
      (holder) => typeof readMember(holder, "toJSONSchema") === "function",
    );
    return {
      schema: callMember(call, "toJSONSchema", parser, options),
      isPartial,
    };
  }
  const vendor = readMember(standard, "vendor");
  if (typeof readMember(readMember(parser, "_def"), "typeName") === "string") {
    const exports = requirePackage("zod-to-json-schema", load, side);
    const pipeStrategy = side;
    const settings = {
      target: "jsonSchema7",
      pipeStrategy,
      $refStrategy: "none",
    };
    const schema = callMember(exports, "zodToJsonSchema", parser, settings);
    return { schema, isPartial: true };
  }
  if (vendor === "valibot") {
    const exports = requirePackage("@valibot/to-json-schema", load, side);
    const settings = { errorMode: "ignore", typeMode: side };
    const schema = callMember(exports, "toJsonSchema", parser, settings);
    return { schema, isPartial: true };
  }
  if (vendor === "arktype") {
    const schema = callMember(parser, "toJsonSchema", arkOptions);
    return { schema, isPartial: true };
  }
  return { schema: null, isPartial };
}

/** Lets ArkType leave out what JSON Schema cannot say. */
const arkOptions = {
  fallback: (context: unknown) => readMember(context, "base"),
};

function requirePackage(
  name: string,
  load: PackageLoader,
  side: ParserSide,
): unknown {
  const exports = load(name);
  if (exports !== null) return exports;
  throw new MissingConverterError(
    `the ${side} parser only gives its JSON Schema with \`${name}\`, which is not installed`,
    "any value is accepted",
  );
}

/** Whether a parser accepts an absent value. */
export function acceptsAbsence(parser: unknown): boolean {
  const zod = readMember(parser, "_zod");
  if (isHolder(zod)) return readMember(zod, "optin") !== undefined;
  try {
    const standard = readMember(parser, "~standard");
    const result = callMember(standard, "validate", undefined);
    return (
      isHolder(result) &&
      !(result instanceof Promise) &&
      readMember(result, "issues") === undefined
    );
  } catch {
    return false;
  }
}

/** Whether a parser accepts only `undefined`, as `z.void()` does. */
export function isVoid(parser: unknown): boolean {
  const type = readMember(
    readMember(readMember(parser, "_zod"), "def") ?? readMember(parser, "_def"),
    "type",
  );
  const name = readMember(readMember(parser, "_def"), "typeName");
  return (
    type === "void" ||
    type === "undefined" ||
    readMember(parser, "type") === "void" ||
    name === "ZodVoid" ||
    name === "ZodUndefined"
  );
}

import type { ScalarName } from "../../../ir/contract.js";
import type { ValidatorContext } from "./validator-context.js";

/** How a value of a core type is told from others. */
export interface CorePredicate {
  /** An expression that is true when the value fits. */
  is(value: string): string;
  /** An expression that is true when it does not. */
  not(value: string): string;
  /** A function `(value: unknown) => boolean`. */
  callee(): string;
}

/** `isSafe`: limits keep a 64-bit integer within 2^53-1. */
export function corePredicate(
  context: ValidatorContext,
  name: ScalarName,
  isSafe: boolean,
): CorePredicate {
  const typed = (type: string, predicate: string): CorePredicate => ({
    is: (value) => `typeof ${value} === "${type}"`,
    not: (value) => `typeof ${value} !== "${type}"`,
    callee: () => context.imports.runtime("validation", predicate),
  });
  switch (name) {
    case "string":
      return typed("string", "isString");
    case "bool":
      return typed("boolean", "isBoolean");
    case "any":
      return {
        is: (value) => `${value} !== undefined`,
        not: (value) => `${value} === undefined`,
        callee: () => "(item) => item !== undefined",
      };
    case "null":
      return {
        is: (value) => `${value} === null`,
        not: (value) => `${value} !== null`,
        callee: () => "(item) => item === null",
      };
    case "file":
      return predicate(context.imports.runtime("file-data", "isFileData"));
    default:
      return predicate(
        context.imports.runtime(
          "validation",
          runtimePredicate(name, isSafe, context.layout.options.int64),
        ),
      );
  }
}

/** Calls of a function that was imported under this name. */
function predicate(local: string): CorePredicate {
  return {
    is: (value) => `${local}(${value})`,
    not: (value) => `!${local}(${value})`,
    callee: () => local,
  };
}

function runtimePredicate(
  name: Exclude<ScalarName, "any" | "bool" | "file" | "null" | "string">,
  isSafe: boolean,
  int64: "number" | "bigint",
): string {
  const isWide = int64 === "bigint" && !isSafe;
  switch (name) {
    case "bigint":
      return "isBigintText";
    case "byte":
    case "uint8":
      return "isUint8";
    case "float32":
    case "float64":
      return "isFloat";
    case "int":
      return "isSafeInt";
    case "int8":
      return "isInt8";
    case "int16":
      return "isInt16";
    case "int32":
      return "isInt32";
    case "int64":
      return isWide ? "isInt64" : "isSafeInt";
    case "timestamp":
      return "isTimestamp";
    case "uint":
      return "isSafeUint";
    case "uint16":
      return "isUint16";
    case "uint32":
      return "isUint32";
    case "uint64":
      return isWide ? "isUint64" : "isSafeUint";
  }
}

/** TypeScript type of a core type before it is decoded. */
export function wireOfScalar(name: ScalarName): string {
  switch (name) {
    case "any":
      return "unknown";
    case "bool":
      return "boolean";
    case "file":
      return "unknown";
    case "null":
      return "null";
    case "bigint":
    case "string":
    case "timestamp":
      return "string";
    default:
      return "number";
  }
}

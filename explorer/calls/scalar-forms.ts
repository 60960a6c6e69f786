import type { ScalarName } from "../../generator/4-emit/docs/explorer-data.js";

/** How users enter the values of a scalar. */
export type ScalarForm =
  | "boolean"
  /** The user chooses a file. */
  | "file"
  | "integer"
  /** Digits that are sent as a string. */
  | "integer-text"
  | "json"
  /** There is only one value. */
  | "null"
  | "number"
  | "text"
  | "timestamp";

/** The form of every scalar. */
export const scalarForms: Readonly<Record<ScalarName, ScalarForm>> = {
  any: "json",
  bigint: "integer-text",
  bool: "boolean",
  byte: "integer",
  file: "file",
  float32: "number",
  float64: "number",
  int: "integer",
  int16: "integer",
  int32: "integer",
  int64: "integer",
  int8: "integer",
  null: "null",
  string: "text",
  timestamp: "timestamp",
  uint: "integer",
  uint16: "integer",
  uint32: "integer",
  uint64: "integer",
  uint8: "integer",
};

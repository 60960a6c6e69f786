import type { ScalarName } from "../../ir/contract.js";
import type { Limits } from "./notation.js";

/** What rules have to know of a core type. */
interface CoreType {
  /** Which metadata keys can limit its values; null for none. */
  readonly limits: Limits | null;
  /** Whether a value can be a segment of a path. */
  readonly isSegment: boolean;
}

const number: CoreType = { limits: "number", isSegment: true };

/** Every core type of the language. */
export const coreTypes: Readonly<Record<ScalarName, CoreType>> = {
  any: { limits: null, isSegment: false },
  bigint: number,
  bool: { limits: null, isSegment: true },
  byte: number,
  file: { limits: null, isSegment: false },
  float32: number,
  float64: number,
  int: number,
  int8: number,
  int16: number,
  int32: number,
  int64: number,
  null: { limits: null, isSegment: false },
  string: { limits: "text", isSegment: true },
  timestamp: { limits: null, isSegment: true },
  uint: number,
  uint8: number,
  uint16: number,
  uint32: number,
  uint64: number,
};

/** Names of the core types, for suggestions. */
export const scalarNames: readonly string[] = Object.keys(coreTypes);

/** Whether the word is a core type such as `uint32`; exact case. */
export function isScalarName(word: string): word is ScalarName {
  return Object.hasOwn(coreTypes, word);
}

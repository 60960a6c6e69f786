import type * as fc from "fast-check";
import type { Json } from "./json.js";

/**
 * A value at a limit, just beyond one, or otherwise invalid. The reference
 * server decides whether it is valid.
 */
export interface Special<Value = Json> {
  /**
   * The path of the value and its special property, e.g. "`isbn` of 14
   * characters".
   */
  readonly what: string;
  readonly value: fc.Arbitrary<Value>;
}

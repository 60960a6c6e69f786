import type * as fc from "fast-check";
import type { Json } from "./json.js";

/**
 * A value with one thing about it: it is just at a limit, just beyond one, or
 * not what the contract asks for. The reference server knows which of them.
 */
export interface Special<Value = Json> {
  /** Where it is, and what is special, e.g. "`isbn` of 14 characters". */
  readonly what: string;
  readonly value: fc.Arbitrary<Value>;
}

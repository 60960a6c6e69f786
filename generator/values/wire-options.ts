/**
 * The settings that change messages, or the types of their values in code. All
 * other settings only choose what to generate. `ridl breaking` compares each.
 */
export interface WireOptions {
  /**
   * TypeScript type of `int64` and `uint64`: `number` (checked, never rounded)
   * or `bigint` (exact). Types whose limits are within ±(2^53-1) are always
   * `number`.
   */
  readonly int64: "number" | "bigint";
  /** TypeScript type of `timestamp`: RFC 3339 text or `Date`. */
  readonly timestamp: "string" | "date";
  /**
   * Whether null for a required list, map or `[]byte` is read as an empty one,
   * because Go writes nil as null. Default: `false`.
   */
  readonly nullAsEmpty?: boolean;
}

/** Settings of generated code that determine who is affected. */
export interface CodeModes {
  /** The type of 64-bit integers in code: within ±(2^53-1), or exact. */
  readonly int64: "number" | "bigint";
  readonly timestamp: "string" | "date";
}

/** The default settings. */
export const defaultModes: CodeModes = { int64: "number", timestamp: "string" };

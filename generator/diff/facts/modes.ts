/** What a project chooses about generated code that decides who is hurt. */
export interface CodeModes {
  /** What 64-bit integers are in code: within ±(2^53-1), or exact. */
  readonly int64: "number" | "bigint";
  readonly timestamp: "string" | "date";
}

/** What holds where the configuration says nothing. */
export const defaultModes: CodeModes = { int64: "number", timestamp: "string" };

/** Reads and writes JSON without rounding: large integers are `bigint`. */
export interface ExactJson {
  readonly parse: (text: string) => unknown;
  readonly stringify: (value: unknown) => string;
}

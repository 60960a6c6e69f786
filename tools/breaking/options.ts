import type { Severity } from "../../generator/diagnostics/diagnostic.js";

/** The severity of changes. */
export interface BreakingOptions {
  /**
   * Whether clients can be newer than servers, for example if clients are
   * released first or a server is rolled back.
   */
  readonly isStrict: boolean;
  /** Severities by code, e.g. `{ "method-error-no-add": "off" }`. */
  readonly rules: Readonly<Record<string, Severity | "off">>;
}

/** The default options. */
export const defaultBreakingOptions: BreakingOptions = {
  isStrict: false,
  rules: {},
};

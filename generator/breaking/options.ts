import type { Severity } from "../diagnostics/diagnostic.js";

/** How bad changes are. */
export interface BreakingOptions {
  /**
   * Whether clients may be newer than servers, as where clients come out first
   * or a server is rolled back.
   */
  readonly isStrict: boolean;
  /** By code, e.g. `{ "method-error-no-add": "off" }`. */
  readonly rules: Readonly<Record<string, Severity | "off">>;
}

/** What holds where the configuration says nothing. */
export const defaultBreakingOptions: BreakingOptions = {
  isStrict: false,
  rules: {},
};

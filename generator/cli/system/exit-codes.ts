/** Exit codes of `ridl`. */
export const exitCodes = {
  /** The command succeeded. */
  success: 0,
  /**
   * A document, the configuration, or a file has an error, or a check failed,
   * e.g. because of drift.
   */
  failure: 1,
  /** The command line is invalid. */
  usage: 2,
  /** A bug in ridlkit (EX_SOFTWARE in sysexits.h). */
  crash: 70,
} as const;

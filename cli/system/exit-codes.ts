/** Exit codes of `ridl`. */
export const exitCodes = {
  /** The command succeeded. */
  success: 0,
  /**
   * A document, the configuration, or a file has an error, a check failed, e.g.
   * because of drift, or a called server returned an error.
   */
  failure: 1,
  /**
   * The command line or a request is invalid, or `ridl test` could test nothing,
   * or not everything in time.
   */
  usage: 2,
  /** A called server sent no valid response. */
  noResponse: 3,
  /** A bug in ridlkit (EX_SOFTWARE in sysexits.h). */
  crash: 70,
  /** The user interrupted a call: 128 and the number of SIGINT, as in shells. */
  interrupted: 130,
} as const;

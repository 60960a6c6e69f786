/** What the exit code of `ridl` means. */
export const exitCodes = {
  /** Everything is in order. */
  success: 0,
  /** A document, the configuration or a file has a fault, or there is drift. */
  failure: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** A fault of ridlkit itself (EX_SOFTWARE of sysexits.h). */
  crash: 70,
} as const;

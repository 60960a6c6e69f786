/**
 * The last second of the year 9999, the latest time that ISO 8601 can express
 * with a four-digit year.
 */
const lastSecond = 253_402_300_799n;

/** Converts a chain's time in seconds to a date, up to the year 9999. */
export function toDate(seconds: bigint): Date {
  return new Date(Number(seconds < lastSecond ? seconds : lastSecond) * 1000);
}

/** The last moment of the year 9999: later ones cannot be written. */
const lastSecond = 253_402_300_799n;

/** A moment of the chain, in seconds; what is later than all dates is the last. */
export function toDate(seconds: bigint): Date {
  return new Date(Number(seconds < lastSecond ? seconds : lastSecond) * 1000);
}

/** The last moment of the year 9999: later ones cannot be written. */
const lastSecond = 253_402_300_799n;

/** A moment of the chain, in seconds; what is later than all dates is the last. */
export function toDate(seconds: bigint): Date {
  return new Date(Number(seconds < lastSecond ? seconds : lastSecond) * 1000);
}

/**
 * The time that counts on a chain whose last block is of a time, in seconds: the
 * next block is not older than now, and blocks may be ahead of us.
 */
export function currentTime(chainTime: bigint): bigint {
  const ourTime = BigInt(Math.floor(Date.now() / 1000));
  return chainTime > ourTime ? chainTime : ourTime;
}

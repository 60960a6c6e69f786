/**
 * The part of the long suites that this run takes, such as `1/2`. Default: all of
 * them.
 */
const share = process.env.RIDLKIT_SHARE;

/** Lets Vitest run only the files of this run's share. */
export const vitestShare = share === undefined ? [] : [`--shard=${share}`];

/** Returns the items of this run's share. */
export function shareOf(items) {
  const [number, count] = (share ?? "1/1").split("/").map(Number);
  return items.filter((_, index) => index % count === number - 1);
}

/** Says what this run leaves to others. */
export const leftToOthers =
  share === undefined
    ? []
    : [`NOT RUN: long suites outside the share ${share}, which others run.`];

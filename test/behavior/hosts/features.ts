/** What the tests check on each host: the columns of the table in the docs. */
export const features = {
  requests: "requests",
  aborts: "signals",
  left: "leaving",
  unread: "unread responses",
  queue: "queue",
  addresses: "addresses",
  refused: "rejected uploads",
  silence: "silence",
  shutdown: "SIGTERM",
  finish: "running calls",
} as const;

/** The key of a feature. */
export type Feature = keyof typeof features;

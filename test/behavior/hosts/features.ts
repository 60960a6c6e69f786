/** What the tests check on each host: the columns of the table in the docs. */
export const features = {
  requests: "requests",
  whole: "transfers",
  resume: "resuming",
  deadline: "deadlines",
  aborts: "signals",
  left: "leaving",
  unread: "unread responses",
  queue: "queue",
  addresses: "addresses",
  refused: "rejected uploads",
  silence: "silence",
  idle: "idle connections",
  shutdown: "SIGTERM",
  finish: "running calls",
} as const;

/** The key of a feature. */
export type Feature = keyof typeof features;

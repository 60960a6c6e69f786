import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

/**
 * For each row of the table of limits in `reference.md`, the tests of its bounds, by file.
 * They count work, and measure no times.
 */
const tests: Readonly<Record<string, Readonly<Record<string, string[]>>>> = {
  "listeners × filters × characters": {
    "indexer/listeners.test.ts": [
      "limits the number of listeners that a project has on a network",
      "limits the size of the filters that a project has on a network",
    ],
  },
  "listeners × events × layouts × logs": {
    "indexer/hostile-listeners.test.ts": [
      "sets aside the listeners that cause too much work, tells their owner, and spares all other projects",
      "sends the events of other contracts while somebody emits many logs, and tells the owner once",
      "shares the work of a block among the projects that have any, not among idle ones",
    ],
    "indexer/match-logs.test.ts": [
      "finds the contracts of each project within the budget, with %i groups",
    ],
  },
  "size of a log × layouts": {
    "indexer/hostile-listeners.test.ts": [
      "skips a log that is too large to decode, counts it, and tells the owner, while the listener goes on",
    ],
  },
  "accounts × topics × contracts of a listener": {
    "indexer/listener-index.test.ts": [
      "finds a listener by a limited number of keys",
    ],
  },
  "contracts in a block × reads of their standards": {
    "indexer/contract-standard.test.ts": [
      "queries each contract once, and a limited number at a time",
    ],
  },
  "webhooks × receivers × attempts": {
    "indexer/deliveries.slow.ts": [
      "limits the pending webhooks of a project",
      "retries a failed delivery, gives up, and replays it",
      "does not delay other projects when receivers never respond",
    ],
    "queue/lanes.test.ts": [
      "runs at most the maximum number of jobs of a lane",
    ],
  },
  "refresh tasks × tokens × redirects": {
    "metadata/refresh.slow.ts": [
      "limits the unfinished tasks of a project",
      "limits how many tokens are left to refresh in tasks for all tokens",
      "rejects a task for all tokens of a contract with too many",
      "reports a refresh as failed after the last attempt, and can replay it",
    ],
  },
  "tokens × documents of a response": {
    "metadata/limits.slow.ts": [
      "rejects a request whose response would be too large",
      "reads no tokens of addresses without a contract",
    ],
    "metadata/limit-reads.test.ts": [
      "limits the tokens that a caller can read in a second",
    ],
  },
  "offers × makers × currencies": {
    "marketplace/select-offers.slow.ts": [
      "compares a limited number of offers per maker and in total, the best of each first",
    ],
    "marketplace/find-offers.test.ts": [
      "reads offers for two calls at once, one of each caller, with a connection each",
    ],
  },
  "sponsors × relays × price": {
    "relayer/gas-sponsors.test.ts": [
      "limits the sponsors of a project on a network",
    ],
    "relaying/requests.slow.ts": [
      "limits the pending relays of a project",
      "limits what a wallet and a sponsor can spend in 24 hours",
    ],
  },
  "calls × time": {
    "http/concurrency.test.ts": [
      "tells callers when to retry if the queue is full",
      "does not delay other projects when one reaches its limit",
      "keeps database connections for others while one project's calls wait for locks",
    ],
    "keys/rate-limiter.test.ts": [
      "shares a bucket between instances, and never exceeds its burst",
    ],
  },
  "entries of console lists × size": {
    "console/lists.test.ts": ["limits the entries of a page"],
  },
  "contacts of an import × size": {
    "console/contacts-csv.slow.ts": [
      "limits the contacts of a CSV file, and lets other work run",
    ],
  },
  "rows × time": {
    "database/retention.test.ts": [
      "keeps only the newest ended rows of each project",
    ],
  },
};

const page = readFileSync("platform/reference.md", "utf8");
const [, section = ""] = page.split("\n## Limits on work\n");
const [table = ""] = section.split("\n### ");
const products = [...table.matchAll(/^\| (.*? × .*?) +\|/gmu)].map(
  ([, product = ""]) => product,
);

test("each product that a project chooses has tests of its bounds", () => {
  expect(Object.keys(tests)).toEqual(products);
});

test.each(Object.entries(tests))("%s: the tests exist", (_, files) => {
  for (const [file, titles] of Object.entries(files)) {
    const text = readFileSync(`platform/test/${file}`, "utf8");
    for (const title of titles) expect(text).toContain(`"${title}"`);
  }
});

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
      "skips a log whose arguments refer to the same data, as if it contained the data many times",
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
    "indexer/large-deliveries.test.ts": [
      "a large webhook counts several times toward the limit of pending ones",
    ],
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
      "adds the tokens of a contract to a task for all of them as it goes on",
      "does not delay other projects when hosts never respond",
      "reads a limited number of tokens in a second for all tasks",
      "limits the size of the documents that a task can read in a second",
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
      "limits the size of the documents that a caller can read in a second",
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
      "keeps the newest jobs of each lane up to the size of their payloads",
      "removes the oldest documents as soon as many have been added",
    ],
    "database/growth-limit.test.ts": [
      "removes rows of an owner whenever it has added a tenth of the limit",
      "executes one statement at a time, of each owner in turn",
    ],
    "queue/done-jobs.test.ts": [
      "removes the oldest completed jobs of a lane as soon as many have been added",
    ],
    "relaying/expired.test.ts": [
      "removes the oldest expired relays of a project as soon as many have been added",
    ],
  },
};

/** For each row, its numbers that are no settings, and the code that decides them. */
const numbers: Readonly<
  Record<string, readonly (readonly [string, string, string])[]>
> = {
  "size of a log × layouts": [
    ["5,000 units", "services/indexer/match-logs.ts", "maxStepWork = 5000;"],
  ],
  "accounts × topics × contracts of a listener": [
    [
      "100 keys",
      "services/indexer/listener-index.ts",
      "maxCombinations = 100;",
    ],
  ],
  "contracts in a block × reads of their standards": [
    [
      "160 contracts",
      "services/indexer/contract-standard.ts",
      "maxReads = 160;",
    ],
    ["16 at once", "services/indexer/contract-standard.ts", "readAtOnce = 16;"],
  ],
  "webhooks × receivers × attempts": [
    ["each 8 KiB", "database/storage-units.ts", "unitBytes = 8 * 1024;"],
    ["8 at once", "services/indexer/start-indexer.ts", "perLane: 8,"],

    ["10 seconds", "services/indexer/send-webhook.ts", "timeoutMs = 10_000;"],
    [
      "64 KiB",
      "services/indexer/send-webhook.ts",
      "maxAnswerBytes = 64 * 1024;",
    ],
    ["from 5 seconds", "services/indexer/deliver.ts", "firstPauseMs: 5000,"],
    [
      "3 hours",
      "services/indexer/deliver.ts",
      "maxPauseMs: 3 * 60 * 60 * 1000,",
    ],
    [
      "a day",
      "services/indexer/deliver.ts",
      "giveUpAfterMs: 24 * 60 * 60 * 1000,",
    ],
  ],
  "refresh tasks × tokens × redirects": [
    ["2 tasks", "services/metadata/refresh-worker.ts", "perLane: 2,"],
    ["10 tokens", "services/metadata/refresh-tokens.ts", "tokensAtOnce = 10;"],
    [
      "100 tokens a",
      "services/metadata/refresh-tokens.ts",
      "tokensPerSecond = 100;",
    ],
    ["5 seconds", "services/metadata/fetch-document.ts", "timeoutMs = 5000;"],
    ["3 redirects", "services/metadata/fetch-document.ts", "maxRedirects: 3,"],
    [
      "256 KiB",
      "services/metadata/fetch-document.ts",
      "maxDocumentBytes = 256 * 1024;",
    ],
    ["8 attempts", "services/metadata/refresh-worker.ts", "maxAttempts = 8,"],
    ["10 ms more", "services/metadata/refresh-tokens.ts", "unitMs = 10;"],
  ],
  "tokens × documents of a response": [
    ["50 tokens", "../schema/metadata.ridl", "maxItems = 50\n"],
    [
      "8 MiB",
      "services/metadata/answer-size.ts",
      "maxAnswerLength = 8 * 1024 * 1024;",
    ],
    ["16 reads", "services/metadata/limit-reads.ts", "maxReadsPerCaller = 16;"],
    ["100 ms", "services/metadata/limit-reads.ts", "restMs = 100;"],
    ["each 8 KiB", "database/storage-units.ts", "unitBytes = 8 * 1024;"],
  ],
  "offers × makers × currencies": [
    [
      "100 offers",
      "services/marketplace/book/select-offers.ts",
      "maxPerMaker = 100;",
    ],
    [
      "1,000",
      "services/marketplace/book/select-offers.ts",
      "maxReadPerMaker = 1000;",
    ],
    [
      "10,000",
      "services/marketplace/book/select-offers.ts",
      "maxOffers = 10_000;",
    ],
    [
      "Two requests",
      "services/marketplace/book/find-orders.ts",
      "offersAtOnce = 2;",
    ],
    [
      "every 2 offers",
      "services/marketplace/book/find-orders.ts",
      "offersPerMs = 2;",
    ],
  ],
  "calls × time": [
    ["3 database", "database/monitored-pool.ts", "ofCaller: 3 }"],
    ["and 12 for", "database/monitored-pool.ts", "ofCalls: 12,"],
    ["5 seconds", "database/pool.ts", "connectionTimeoutMillis: 5000,"],
  ],
  "entries of console lists × size": [
    ["200 entries", "console/schema/values.ridl", "maximum = 200\n"],
    ["92 days", "console/handlers/activity.ts", "maxDays = 92;"],
  ],
  "contacts of an import × size": [
    ["16 MiB", "console/server.ts", "maxUploadBytes: 16 * 1024 * 1024,"],
    ["200,000", "console/csv/contacts-csv.ts", "maxContacts = 200_000;"],
    ["1,000", "console/schema/audiences.ridl", "maxItems = 1000\n"],
  ],
  "rows × time": [
    ["10 minutes", "database/retention.ts", "pauseMs = 10 * 60_000;"],
    ["a tenth", "database/growth-limit.ts", "growthShare = 0.1;"],
  ],
};

const page = readFileSync("platform/reference.md", "utf8");
const [, section = ""] = page.split("\n## Limits on work\n");
const [table = ""] = section.split("\n### ");
const rows = new Map(
  [...table.matchAll(/^\| (.*? × .*?) +\|.*$/gmu)].map(
    ([row, product = ""]) => [product, row] as const,
  ),
);

test("each product that a project chooses has tests of its bounds", () => {
  expect(Object.keys(tests)).toEqual([...rows.keys()]);
});

test.each(Object.entries(tests))("%s: the tests exist", (_, files) => {
  for (const [file, titles] of Object.entries(files)) {
    const text = readFileSync(`platform/test/${file}`, "utf8");
    for (const title of titles) expect(text).toContain(`"${title}"`);
  }
});

test.each(Object.entries(numbers))(
  "%s: the code decides the same numbers",
  (product, facts) => {
    for (const [number, file, code] of facts) {
      expect(rows.get(product)).toContain(number);
      expect(readFileSync(`platform/${file}`, "utf8")).toContain(code);
    }
  },
);

test("the settings file and the decision state the limits on connections that the code decides", () => {
  const read = (file: string) => readFileSync(`platform/${file}`, "utf8");
  const code = read("database/monitored-pool.ts");
  const [, ofCalls, ofCaller] =
    /ofCalls: (\d+), ofCaller: (\d+)/u.exec(code) ?? [];
  const [, all] = /max: (\d+)/u.exec(read("database/pool.ts")) ?? [];
  expect(read("config.yaml").replaceAll("\n#", "")).toContain(
    `at most ${ofCalls} of the ${all} database connections, and those of a caller at most ${ofCaller}.`,
  );
  expect(read("../docs/decisions/fair-event-loop.md")).toContain(
    `at most ${ofCaller} of the ${all} database connections`,
  );
});

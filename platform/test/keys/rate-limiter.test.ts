import { sql } from "kysely";
import { expect, test } from "vitest";

import {
  createRateLimiter,
  type RateLimiter,
} from "../../keys/rate-limiter.js";
import { takeTokens } from "../../keys/take-tokens.js";
import type { RateLimitSettings } from "../../settings/read-settings.js";
import { watchQueries } from "../support/query-plans.js";
import {
  createMigratedDatabase,
  openTestDatabase,
} from "../support/test-database.js";

const url = await createMigratedDatabase();
const database = await openTestDatabase(url);

/** Opens a limiter, as one instance of the platform does. */
const open = (name: string, limit: RateLimitSettings): RateLimiter =>
  createRateLimiter((...asked) => takeTokens(database, ...asked), {
    ...{ ...limit, name, limited: "by a test" },
  });

/** Returns the number of concurrent requests that are granted. */
async function countGranted(
  limiter: RateLimiter,
  requests: number,
): Promise<number> {
  const takes = Array.from({ length: requests }, () => limiter.take("one"));
  const results = await Promise.allSettled(takes);
  return results.filter(({ status }) => status === "fulfilled").length;
}

/** Moves the last use of all buckets into the past. */
async function pass(ms: number): Promise<void> {
  const time = sql`${ms} * interval '1 millisecond'`;
  await sql`
    update rate_limits
    set asked_at = asked_at - ${time}, full_at = full_at - ${time}`.execute(
    database,
  );
}

test("shares a bucket between instances, and never exceeds its burst", async () => {
  // At this rate, the bucket gains only a few tokens during the test.
  const limit = { requestsPerSecond: 1, burst: 600 };
  const instance = () => open("shared", limit);
  const granted = [instance(), instance(), instance()].map((each) =>
    countGranted(each, 250),
  );
  const [one = 0, two = 0, three = 0] = await Promise.all(granted);
  expect(one + two + three).toBeGreaterThanOrEqual(600);
  expect(one + two + three).toBeLessThan(660);
  await pass(300_000);
  const again = await countGranted(instance(), 700);
  expect(again).toBeGreaterThanOrEqual(300);
  expect(again).toBeLessThan(360);
  await pass(86_400_000);
  const rested = await countGranted(instance(), 700);
  expect(rested).toBeGreaterThanOrEqual(600);
  expect(rested).toBeLessThan(660);
});

test("three instances together grant requests at the rate of one instance, within 5%", async () => {
  const limit = { requestsPerSecond: 400, burst: 2000 };
  const instances = Array.from({ length: 3 }, () => open("rate", limit));
  const askedAt = async (): Promise<number> => {
    const { asked_at } = await database
      .selectFrom("rate_limits")
      .select(sql<Date>`max(asked_at)`.as("asked_at"))
      .executeTakeFirstOrThrow();
    return asked_at.getTime();
  };
  const takeAll = (): Promise<readonly number[]> =>
    Promise.all(instances.map((each) => countGranted(each, 1000)));
  await takeAll();
  const start = await askedAt();
  let granted = 0;
  let end = start;
  while (end - start < 1000) {
    for (const count of await takeAll()) granted += count;
    end = await askedAt();
  }
  const expected = ((end - start) / 1000) * limit.requestsPerSecond;
  expect(granted / expected).toBeGreaterThan(0.95);
  expect(granted / expected).toBeLessThan(1.05);
});

test("rejects a caller that has no tokens left, without querying the database", async () => {
  const limiter = open("memory", { requestsPerSecond: 0.01, burst: 1 });
  await limiter.take("one");
  const findPlans = watchQueries();
  await expect(limiter.take("one")).rejects.toMatchObject({ status: 429 });
  expect(() => limiter.check("one")).toThrow("request failed");
  expect((await findPlans(url)).count).toBe(0);
  await limiter.take("another");
});

test("waiting requests share a statement, which uses an index", async () => {
  const limiter = open("batch", { requestsPerSecond: 0.01, burst: 100 });
  const findPlans = watchQueries();
  const takes = Array.from({ length: 100 }, (_, index) =>
    limiter.take(String(index % 10)),
  );
  await Promise.all(takes);
  const { count, scans } = await findPlans(url);
  expect(count).toBeLessThanOrEqual(2);
  expect(scans).toEqual([]);
});

test("prepares the statement once per connection", async () => {
  await database.connection().execute(async (connection) => {
    for (const requestsPerSecond of [1, 2]) {
      const limit = { requestsPerSecond, burst: 1 };
      const wanted = [{ bucket: "prepared", count: 1 }];
      await takeTokens(connection, limit, wanted);
    }
    const { rows } = await sql`
      select from pg_prepared_statements`.execute(connection);
    expect(rows).toHaveLength(1);
  });
});

test("keeps separate buckets for limiters with different names", async () => {
  const limit = { requestsPerSecond: 0.01, burst: 1 };
  await open("first", limit).take("one");
  await open("second", limit).take("one");
  await expect(open("first", limit).take("one")).rejects.toMatchObject({
    status: 429,
  });
});

import { sql } from "kysely";
import pg from "pg";
import { padHex } from "viem";
import { expect, onTestFinished, test, vi } from "vitest";

import { asCaller } from "../../process/concurrency/caller.js";
import { createOrderFinder } from "../../services/marketplace/book/find-orders.js";
import { countLockWaits, keepIdle } from "../support/count-lock-waits.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();
const address = padHex("0x1", { size: 20 });
const book = { chainId: 137, contract: address };
const search = {
  ...{ collection: address, tokenId: 1n, makers: [] },
  currencies: { except: [] },
};

test("reads offers for two calls at once, one of each caller, with a connection each", async () => {
  const finder = createOrderFinder(database);
  const find = (caller: string) =>
    Promise.allSettled(
      Array.from({ length: 6 }, () =>
        asCaller(caller, () => finder.offers(book, search)),
      ),
    );
  const calls: Promise<unknown>[] = [];
  const waits = () => countLockWaits(database);
  await database.transaction().execute(async (transaction) => {
    await keepIdle(transaction);
    await sql`lock table marketplace_orders`.execute(transaction);
    calls.push(find("a"));
    await expect.poll(waits).toBe(1);
    calls.push(find("b"), find("c"));
    await expect.poll(waits).toBe(2);
    expect(await waits()).toBe(2);
  });
  await Promise.all(calls);
});

test("waiting calls for orders share statements that are prepared once", async () => {
  const { named } = createOrderFinder(database);
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  await Promise.all(
    Array.from({ length: 6 }, (_, index) => {
      const orderHash = padHex(`0x${index}`);
      return named(book, [{ collection: address, orderHash }]);
    }),
  );
  const sent = query.mock.calls
    .map(([statement]) => Object(statement))
    .filter(({ text }) => String(text).includes("marketplace_orders"));
  // The first call does not wait, and the others wait for it.
  expect(sent.length).toBeLessThanOrEqual(2);
  expect(new Set(sent.map(({ name }) => name)).size).toBe(1);
  expect(sent[0]?.name).toEqual(expect.any(String));
});

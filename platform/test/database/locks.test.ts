import { expect, test } from "vitest";

import { enterLock, lockName, lockRow } from "../../database/locks.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();

test("rejects locks in another order than all other transactions", async () => {
  await database.transaction().execute(async (transaction) => {
    await lockName(transaction, "wallet", "one");
    await lockRow(transaction, "project", 1);
    enterLock(transaction, "sponsor");
    // It already has this lock.
    await lockRow(transaction, "project", 1);
    await expect(lockRow(transaction, "project", 2)).rejects.toThrow(
      "locks project after sponsor",
    );
    await lockRow(transaction, "tank", 1);
    await expect(lockRow(transaction, "relay", 1)).rejects.toThrow(
      "locks relay after tank",
    );
  });
});

import { expect, test } from "vitest";

import { createCleanup } from "../../../process/lifecycle/cleanup.js";
import { silent } from "../../support/test-database.js";

test("closes in reverse order, and closes siblings concurrently", async () => {
  const closed: string[] = [];
  let closeOther: () => void = () => undefined;
  const other = new Promise<void>((resolve) => (closeOther = resolve));
  const cleanup = createCleanup(silent);
  cleanup.add("database", () => Promise.resolve(void closed.push("database")));
  cleanup.add("host", async () => {
    await other;
    closed.push("host");
  });
  cleanup.addBeside("broken", () => Promise.reject(new Error("broken")));
  cleanup.addBeside("worker", () => {
    closed.push("worker");
    closeOther();
    return Promise.resolve();
  });
  await cleanup.run();
  expect(closed).toEqual(["worker", "host", "database"]);
});

test("abandons resources that do not close, and closes the rest", async () => {
  let isClosed = false;
  const cleanup = createCleanup(silent, 50);
  cleanup.add("database", () => Promise.resolve(void (isClosed = true)));
  cleanup.add("worker", () => new Promise(() => undefined));
  await cleanup.run();
  expect(isClosed).toBe(true);
});

import { expect, test } from "vitest";

import { unitBytes } from "../../database/storage-units.js";
import { createReadLimit } from "../../services/metadata/limit-reads.js";
import type { Stored } from "../../services/metadata/reading.js";

/** The result of a read that stored a document. */
const store = (value: number, bytes = 100): Stored<number> => ({
  value,
  bytes,
});

test("limits the tokens that a caller can read in a second", async () => {
  const limit = createReadLimit();
  const starts: number[] = [];
  const read = () =>
    limit(
      () => Promise.resolve(store(starts.push(performance.now()))),
      "caller",
    );
  await Promise.all(Array.from({ length: 33 }, read));
  const [first = 0] = starts;
  // Sixteen at once, and then one for each that ended 100 ms ago.
  expect((starts[16] ?? 0) - first).toBeGreaterThan(99);
  expect((starts[32] ?? 0) - first).toBeGreaterThan(198);
});

test("limits the size of the documents that a caller can read in a second", async () => {
  const limit = createReadLimit();
  const starts: number[] = [];
  const read = () =>
    limit(
      () =>
        Promise.resolve(store(starts.push(performance.now()), 3 * unitBytes)),
      "caller",
    );
  await Promise.all(Array.from({ length: 17 }, read));
  const [first = 0] = starts;
  expect((starts[16] ?? 0) - first).toBeGreaterThan(299);
});

test("does not let a caller wait for another one", async () => {
  const limit = createReadLimit();
  const order: string[] = [];
  const read = (caller: string) =>
    limit(() => Promise.resolve(store(order.push(caller))), caller);
  await Promise.all([
    ...Array.from({ length: 17 }, () => read("many")),
    read("one"),
  ]);
  expect(order.indexOf("one")).toBe(16);
});

import { afterEach, expect, test, vi } from "vitest";

import { createReadLimit } from "../../services/metadata/limit-reads.js";

afterEach(() => vi.useRealTimers());

test("tells why a read that was queued for too long was refused", async () => {
  vi.useFakeTimers();
  const limit = createReadLimit();
  const never = () => new Promise<never>(() => undefined);
  for (let running = 0; running < 16; running += 1) void limit(never, "busy");
  const late = limit(never, "busy");
  const refused = expect(late).rejects.toMatchObject({
    name: "Unavailable",
    cause: "too many reads of tokens and contracts were queued",
  });
  // The deadline of a call is 30 seconds.
  await vi.advanceTimersByTimeAsync(29_000);
  await refused;
  expect(await limit(() => Promise.resolve("read"), "other")).toBe("read");
});

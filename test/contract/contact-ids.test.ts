import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { createCallers, type Callers } from "./callers.js";
import { startHarness, type Harness } from "./harness.js";
import { sendBody } from "./wire.js";

let harness: Harness;
let callers: Callers;
beforeAll(async () => {
  harness = await startHarness();
  callers = createCallers(harness);
});
beforeEach(() => {
  harness.reset();
});
afterAll(() => harness.close());

const operation = "Builder.RemoveAudienceContacts";

/**
 * Values at the limits of integer types. Rounding would change some of them.
 */
const edges = [
  0n,
  1n,
  2n ** 32n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 1n,
];

async function expectExact(contactIds: bigint[]): Promise<void> {
  harness.reset();
  await callers[operation]({ projectId: 42, audienceId: 7, contactIds });
  const digits = contactIds.map(String).join(",");
  expect(harness.seen[0]?.body).toBe(
    `{"projectId":42,"audienceId":7,"contactIds":[${digits}]}`,
  );
  expect(harness.calls[0]?.request).toEqual({
    projectId: 42,
    audienceId: 7,
    contactIds,
  });
}

describe("contact IDs", () => {
  it("are exact at every limit", () => expectExact(edges));

  it("are exact over the whole range", async () => {
    const id = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    await fc.assert(
      fc.asyncProperty(fc.array(id, { maxLength: 20 }), expectExact),
      { numRuns: 50 },
    );
  });

  it("are bigints in the handler, even small ones", async () => {
    await sendBody(harness, operation, {
      projectId: 42,
      audienceId: 7,
      contactIds: [7],
    });
    expect(harness.calls[0]?.request).toEqual({
      projectId: 42,
      audienceId: 7,
      contactIds: [7n],
    });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { startHarness, type Harness } from "./harness.js";
import { malformedReads, malformedRows } from "./malformed.js";
import { operations } from "./samples.js";
import { sendBody, sendRaw } from "./wire.js";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
beforeEach(() => {
  harness.reset();
});
afterAll(() => harness.close());

interface Envelope {
  readonly error: string;
  readonly code: number;
  readonly msg: string;
  readonly status: number;
  readonly cause: string;
}

function expectRefused(
  { status, text }: { status: number; text: string },
  cause: string,
): void {
  const envelope = JSON.parse(text) as Envelope;
  expect(envelope).toEqual({
    error: "InvalidArgument",
    code: 2000,
    msg: "Invalid argument",
    status: 400,
    cause: expect.any(String),
  });
  expect(status).toBe(400);
  expect(envelope.cause.slice(0, cause.length)).toBe(cause);
  expect(harness.calls).toEqual([]);
}

describe("requests with invalid fields", () => {
  it("include at least three for every operation with a body", () => {
    const counts = operations
      .filter((operation) => !operation.startsWith("Tokens."))
      .map((operation) => ({
        operation,
        count: malformedRows.filter((row) => row.operation === operation)
          .length,
      }));
    expect(counts.filter(({ count }) => count < 3)).toEqual([]);
  });

  it.each(malformedRows)("are rejected by $operation: $fault", async (row) => {
    const answer = await sendBody(harness, row.operation, row.body);
    expectRefused(answer, row.cause);
  });

  it.each(malformedReads)("are rejected: GET %s", async (path, cause) => {
    expectRefused(await sendRaw(harness, ["GET", path], {}, null), cause);
  });

  it("are answered with all faults at once", async () => {
    const answer = await sendBody(harness, "Builder.DeleteAudience", {
      projectId: "abc",
    });
    const { cause } = JSON.parse(answer.text) as Envelope;
    expect(cause).toBe(
      `projectId: expected an unsigned integer, got "abc"; audienceId: expected an unsigned integer, got nothing`,
    );
  });
});

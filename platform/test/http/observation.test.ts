import type { Logger } from "pino";
import { expect, test } from "vitest";

import type { Metrics } from "../../http/metrics.js";
import { createObservation } from "../../http/observation.js";
import { silent } from "../support/test-database.js";

/** Returns what is logged about a call with an outcome. */
function logOf(outcome: object): unknown {
  const lines: unknown[] = [];
  const log: Logger = Object.assign(Object.create(silent), {
    info: (line: unknown) => lines.push(line),
  });
  const metrics: Metrics = Object.assign(Object.create(null), {
    count: () => undefined,
  });
  const { observe } = createObservation(log, metrics);
  const request = { header: () => "request-1" };
  const end = observe(Object.assign(Object.create(null), request), null);
  end?.(
    Object.assign(Object.create(null), {
      ...{ status: 400, error: null, cause: null, failures: [] },
      ...{ durationMs: 1, ...outcome },
    }),
  );
  return lines[0];
}

test("logs why a call failed, without control characters", () => {
  const cause = "digest: the call is\nnot sponsored";
  const line = logOf({ error: "InvalidArgument", cause });
  expect(line).toMatchObject({
    ...{ requestId: "request-1", error: "InvalidArgument" },
    cause: "digest: the call is not sponsored",
  });
  expect(logOf({ status: 200 })).not.toHaveProperty("cause");
});

test("logs what invalid fields should be, but not their values", () => {
  const failure = { path: ["key"], expected: "a key", got: '"hidden"' };
  const line = logOf({
    ...{ error: "InvalidArgument", failures: [failure] },
    cause: 'key: expected a key, got "hidden"',
  });
  expect(line).toMatchObject({ cause: "/key: expected a key" });
  expect(JSON.stringify(line)).not.toContain("hidden");
});

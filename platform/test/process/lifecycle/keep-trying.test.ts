import { expect, test } from "vitest";

import { keepTrying } from "../../../process/lifecycle/keep-trying.js";
import { silent } from "../../support/test-database.js";

/** Returns a function that fails once with each error and then succeeds. */
function failing(...errors: readonly string[]) {
  const left = [...errors];
  return (): Promise<string> => {
    const error = left.shift();
    return error === undefined
      ? Promise.resolve("done")
      : Promise.reject(new Error(error));
  };
}

const options = {
  isPassing: (error: unknown) => Object(error).message === "stalled",
  log: silent,
};

test("retries after a temporary error", async () => {
  const work = failing("stalled", "stalled");
  expect(await keepTrying(work, options)).toBe("done");
});

test("fails immediately with any other error", async () => {
  const work = failing("stalled", "wrong password", "stalled");
  await expect(keepTrying(work, options)).rejects.toThrow("wrong password");
});

test("fails with the last error when its time is up", async () => {
  const work = failing("stalled", "stalled");
  const tried = keepTrying(work, { ...options, patienceMs: 0 });
  await expect(tried).rejects.toThrow("stalled");
});

test("fails with the last error when it is aborted", async () => {
  const stopping = new AbortController();
  const work = failing("stalled", "stalled");
  const { signal } = stopping;
  const tried = keepTrying(work, { ...options, signal });
  stopping.abort();
  await expect(tried).rejects.toThrow("stalled");
});

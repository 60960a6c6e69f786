import { expect, test } from "vitest";

import { withSignal } from "../../../process/concurrency/caller.js";
import { createLimit } from "../../../process/concurrency/limit-work.js";
import { createShare } from "../../../process/concurrency/share-work.js";

/** Shares work that waits until other work has ended. */
async function openShare() {
  const limit = createLimit(1, 10);
  const share = createShare<string>();
  let end = (): void => undefined;
  const first = limit(() => new Promise<void>((resolve) => (end = resolve)));
  await new Promise(setImmediate);
  let runs = 0;
  const ask = (caller: AbortController) =>
    withSignal(
      () => caller.signal,
      () =>
        share("key", () =>
          limit(() => {
            runs += 1;
            return Promise.resolve(`run ${runs}`);
          }),
        ),
    );
  return { ask, end: () => end(), first, runs: () => runs };
}

test("shared work stays in the queue while one of its callers waits", async () => {
  const { ask, end, first, runs } = await openShare();
  const callers = [new AbortController(), new AbortController()] as const;
  const answers = callers.map(ask);
  callers[0].abort();
  end();
  await first;
  expect(await Promise.all(answers)).toEqual(["run 1", "run 1"]);
  expect(runs()).toBe(1);
});

test("shared work leaves the queue with its last caller, and later ones start again", async () => {
  const { ask, end, first, runs } = await openShare();
  const callers = [new AbortController(), new AbortController()] as const;
  const answers = callers.map(ask);
  for (const caller of callers) caller.abort(new Error("left"));
  const late = ask(new AbortController());
  for (const answer of answers) await expect(answer).rejects.toThrow("left");
  end();
  await first;
  expect(await late).toBe("run 1");
  expect(runs()).toBe(1);
});

import { getEventListeners } from "node:events";
import { expect, test, vi } from "vitest";

import { shareConnections } from "../../../database/share-connections.js";
import { asCaller } from "../../../process/concurrency/caller.js";
import { createLimit } from "../../../process/concurrency/limit-work.js";
import { shareNextAnswer } from "../../../process/concurrency/share-next-answer.js";
import { createShare } from "../../../process/concurrency/share-work.js";

/** A queue whose running work ends when the test says so. */
function openQueue() {
  const limit = createLimit(1, 10);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string): Promise<string> =>
    limit(async () => {
      started.push(name);
      await new Promise<void>((end) => ends.push(end));
      return name;
    });
  return { run, started, end: () => ends.shift()?.() };
}

/** Makes a call that fails while its other work is queued or running. */
function failEarly(...work: readonly (() => Promise<unknown>)[]) {
  const fail = async () => {
    await new Promise(setImmediate);
    throw new Error("the first error");
  };
  const call = () => Promise.all([...work.map((each) => each()), fail()]);
  return expect(asCaller("a", call)).rejects.toThrow("the first error");
}

test("a call that fails early leaves nothing queued, and what runs goes on", async () => {
  const { run, started, end } = openQueue();
  const results: unknown[] = [];
  const note = (name: string) => async () => {
    const [result] = await Promise.allSettled([run(name)]);
    results.push(result.status === "fulfilled" ? result.value : result.reason);
    // The call has ended, so this is never queued.
    if (name === "running") await run("later");
  };
  await failEarly(note("running"), note("queued"));
  const other = asCaller("b", () => run("other"));
  await expect.poll(() => results).toEqual([new Error("the call has ended")]);
  end();
  await expect.poll(() => started).toEqual(["running", "other"]);
  end();
  expect(await other).toBe("other");
  expect(results.at(-1)).toBe("running");
  expect(started).toEqual(["running", "other"]);
});

test.each([
  [
    "with the same key",
    (run: (name: string) => Promise<string>) => {
      const share = createShare<string>();
      return () => share("key", () => run("shared"));
    },
  ],
  [
    "that wait for the next request",
    (run: (name: string) => Promise<string>) => {
      const share = shareNextAnswer(() => run("shared"));
      return () => share("key");
    },
  ],
])(
  "a call that fails early keeps what it shares with calls %s",
  async (_, open) => {
    const { run, started, end } = openQueue();
    const first = asCaller("b", () => run("first"));
    await expect.poll(() => started).toEqual(["first"]);
    const share = open(run);
    const failed = failEarly(share);
    const other = asCaller("b", share);
    await failed;
    end();
    await first;
    await expect.poll(() => started).toEqual(["first", "shared"]);
    end();
    expect(await other).toBe("shared");
  },
);

test("a call creates a signal only if its work waits", async () => {
  const { signal } = new AbortController();
  const listeners = () => getEventListeners(signal, "abort").length;
  // Signals of this function do not count as listeners.
  const composite = vi.spyOn(AbortSignal, "any");
  const { run, started, end } = openQueue();
  const connect = shareConnections(
    () => Promise.resolve({ release: () => undefined }),
    { ofCalls: 1, ofCaller: 1 },
  );
  const work = async () => {
    (await connect()).release();
    const first = run("first");
    await expect.poll(() => started).toEqual(["first"]);
    expect(listeners()).toBe(0);
    const queued = [run("second"), run("third")];
    expect(listeners()).toBe(1);
    for (const each of [first, ...queued]) {
      end();
      await each;
    }
  };
  await asCaller("a", work, () => signal);
  expect(listeners()).toBe(0);
  expect(composite).not.toHaveBeenCalled();
  composite.mockRestore();
});

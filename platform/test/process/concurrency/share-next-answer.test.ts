import { expect, test } from "vitest";

import {
  currentSignal,
  withSignal,
} from "../../../process/concurrency/caller.js";
import { createBatch } from "../../../process/concurrency/batch.js";
import { shareNextAnswer } from "../../../process/concurrency/share-next-answer.js";

/** Requests that a test answers one by one. */
function createManualSource() {
  const open: { key: string; answer: (text: string) => void }[] = [];
  const ask = shareNextAnswer(
    (key) => new Promise<string>((answer) => open.push({ key, answer })),
  );
  return {
    ask,
    asked: () => open.map(({ key }) => key),
    answer: (text: string) => open.shift()?.answer(text),
  };
}

test("sends one request for all callers that arrive while another request is running", async () => {
  const { answer, ask, asked } = createManualSource();
  const first = ask("a");
  await expect.poll(asked).toEqual(["a"]);
  const others = [ask("a"), ask("a"), ask("a")];
  answer("old");
  expect(await first).toBe("old");
  await expect.poll(asked).toEqual(["a"]);
  answer("new");
  expect(await Promise.all(others)).toEqual(["new", "new", "new"]);
});

test("does not make keys wait for each other", async () => {
  const { ask, asked } = createManualSource();
  void ask("a");
  void ask("b");
  await expect.poll(asked).toEqual(["a", "b"]);
});

test("sends a new request after a failed one", async () => {
  let count = 0;
  const ask = shareNextAnswer(() => {
    count += 1;
    return count === 1
      ? Promise.reject(new Error("lost"))
      : Promise.resolve(count);
  });
  const first = ask("a");
  const second = ask("a").catch(String);
  await expect(first).rejects.toThrow("lost");
  expect(await second).toBe("Error: lost");
  expect(await ask("a")).toBe(2);
});

test("a request ends when all of its callers have left", async () => {
  const signals: (AbortSignal | null)[] = [];
  let answer = (): void => undefined;
  const ask = shareNextAnswer(() => {
    signals.push(currentSignal());
    return new Promise<void>((resolve) => (answer = resolve));
  });
  const callers = [new AbortController(), new AbortController()];
  const first = ask("a");
  await expect.poll(() => signals.length).toBe(1);
  const askFor = ({ signal }: AbortController) =>
    withSignal(
      () => signal,
      () => ask("a"),
    );
  const shared = callers.map(askFor);
  callers[0]?.abort();
  const own = shared[1];
  callers[1]?.abort();
  // A caller who arrives later shares no request that has ended.
  const late = ask("a");
  expect(late).not.toBe(own);
  const left = Promise.allSettled(shared);
  answer();
  // The request that nobody waits for is not made.
  await expect.poll(() => signals.length).toBe(2);
  answer();
  await Promise.all([first, late]);
  expect((await left).map(({ status }) => status)).toEqual([
    ...["rejected", "rejected"],
  ]);
  expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
});

/** Opens a batch whose runs end when the test says so. */
async function openBatch() {
  const ends: (() => void)[] = [];
  const done: string[] = [];
  const add = createBatch<string>(async (items) => {
    await new Promise<void>((end) => ends.push(end));
    done.push(...items);
  });
  const end = async () => {
    await expect.poll(() => ends.length).toBe(1);
    ends.shift()?.();
  };
  const addFor = ({ signal }: AbortController, item: string) =>
    withSignal(
      () => signal,
      () => add(item),
    );
  const first = add("first");
  await expect.poll(() => ends.length).toBe(1);
  return { add, addFor, done, end, first };
}

test("a batch whose callers have all left takes no items of others", async () => {
  const { add, addFor, done, end, first } = await openBatch();
  const caller = new AbortController();
  const leaving = expect(addFor(caller, "left")).rejects.toThrow("left");
  caller.abort(new Error("left"));
  const other = add("other");
  await end();
  await Promise.all([first, leaving]);
  await end();
  await other;
  expect(done).toEqual(["first", "other"]);
});

test("a batch leaves out the items of callers who have left", async () => {
  const { add, addFor, done, end, first } = await openBatch();
  const caller = new AbortController();
  const leaving = expect(addFor(caller, "left")).rejects.toThrow("left");
  const other = add("other");
  caller.abort(new Error("left"));
  await expect(addFor(caller, "late")).rejects.toThrow("left");
  await end();
  await first;
  await end();
  await Promise.all([other, leaving]);
  expect(done).toEqual(["first", "other"]);
});

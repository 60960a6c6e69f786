import { expect, test } from "vitest";

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

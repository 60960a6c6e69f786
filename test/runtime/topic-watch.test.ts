import { expect, test, vi } from "vitest";
import { TopicWatch } from "../../runtime/server/log/topic-watch.js";

/** Creates a watch whose polls end when a test lets them fail. */
function createWatch() {
  const polls: ((error: Error) => void)[] = [];
  const errors: unknown[] = [];
  const watch = new TopicWatch({
    listen: undefined,
    look: () => new Promise((_, reject) => polls.push(reject)),
    onError: (error) => errors.push(error),
    pollMs: 1,
  });
  const failPoll = async (index: number): Promise<void> => {
    await vi.waitFor(() => expect(polls.length).toBeGreaterThan(index));
    polls[index]?.(new Error("the pool was closed"));
  };
  return { errors, failPoll, polls, watch };
}

test("a poll that fails is reported", async () => {
  const { errors, failPoll, watch } = createWatch();
  const leave = watch.add("a", () => undefined);
  await failPoll(0);
  await vi.waitFor(() => expect(errors).toHaveLength(1));
  leave();
});

test("a poll that fails after the last reader left is not reported", async () => {
  const { errors, failPoll, polls, watch } = createWatch();
  const leave = watch.add("a", () => undefined);
  await vi.waitFor(() => expect(polls).toHaveLength(1));
  leave();
  await failPoll(0);
  const leaveAgain = watch.add("b", () => undefined);
  await vi.waitFor(() => expect(polls).toHaveLength(2));
  expect(errors).toHaveLength(0);
  leaveAgain();
});

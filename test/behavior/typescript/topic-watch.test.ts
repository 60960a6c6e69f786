import { expect, test, vi } from "vitest";
import { TopicWatch } from "../../../runtime/typescript/server/log/topic-watch.js";

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

test("closing stops polls and ends the connection of the listener", async () => {
  const ended = vi.fn();
  const look = vi.fn(async () => []);
  const watch = new TopicWatch({
    listen: async () => ended,
    look,
    onError: () => {},
    pollMs: 1,
  });
  watch.add("a", () => {});
  await expect.poll(() => look.mock.calls.length).toBeGreaterThan(1);
  await watch.close();
  expect(ended).toHaveBeenCalledTimes(1);
  const { length } = look.mock.calls;
  watch.add("b", () => {});
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(look.mock.calls.length).toBe(length);
});

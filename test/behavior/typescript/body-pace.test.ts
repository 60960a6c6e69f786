import { afterEach, beforeEach, expect, it, type Mock, vi } from "vitest";
import {
  BodyPace,
  createBodyLimits,
} from "../../../runtime/typescript/server/model/body-pace.js";
import {
  createSendLimits,
  Pace,
} from "../../../runtime/typescript/server/model/pace.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createPace(timeoutMs: number, minRate: number, onSlow = vi.fn()) {
  const pace = new BodyPace(createBodyLimits(100, timeoutMs, minRate), onSlow);
  return { onSlow, pace };
}

it("reports a body that does not arrive in time", () => {
  const { onSlow, pace } = createPace(1000, 100);
  pace.start();
  vi.advanceTimersByTime(998);
  expect(onSlow).not.toHaveBeenCalled();
  vi.advanceTimersByTime(4);
  expect(onSlow).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ name: "WebrpcRequestFailed", status: 408 }),
  );
  expect(vi.getTimerCount()).toBe(0);
});

it("adds the time that the received bytes take at the minimum rate", () => {
  const { onSlow, pace } = createPace(1000, 100);
  pace.start();
  vi.advanceTimersByTime(900);
  pace.add(150);
  vi.advanceTimersByTime(1590);
  expect(onSlow).not.toHaveBeenCalled();
  vi.advanceTimersByTime(20);
  expect(onSlow).toHaveBeenCalledTimes(1);
});

it("does not count time in which nobody requests data", () => {
  const { onSlow, pace } = createPace(1000, 100);
  pace.start();
  vi.advanceTimersByTime(600);
  pace.stop();
  vi.advanceTimersByTime(60_000);
  pace.start();
  vi.advanceTimersByTime(390);
  expect(onSlow).not.toHaveBeenCalled();
  vi.advanceTimersByTime(20);
  expect(onSlow).toHaveBeenCalledTimes(1);
});

it("leaves no timer after it stops", () => {
  const { pace } = createPace(1000, 100);
  pace.start();
  pace.stop();
  pace.start();
  pace.stop();
  vi.advanceTimersByTime(1100);
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ["body", (onSlow: Mock) => createPace(1000, 0, onSlow).pace],
  ["response", (onSlow: Mock) => new Pace(createSendLimits(1000, 0), onSlow)],
])("has no minimum rate of a %s if it is 0", (_, create) => {
  const onSlow = vi.fn();
  const pace = create(onSlow);
  pace.start();
  pace.add(0);
  vi.advanceTimersByTime(900);
  pace.stop();
  pace.add(1);
  pace.start();
  vi.advanceTimersByTime(900);
  expect(onSlow).not.toHaveBeenCalled();
});

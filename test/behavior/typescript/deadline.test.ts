import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  SharedDeadline,
  startDeadline,
} from "../../../runtime/typescript/server/model/deadline.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  // The order matters, because fake timers restore the functions that they
  // replaced.
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("SharedDeadline", () => {
  /** Returns a function that starts a request, and a list of late requests. */
  function createClock(timeoutMs: number) {
    const shared = new SharedDeadline(timeoutMs);
    const late: string[] = [];
    const start = (name: string): (() => void) => {
      const deadline = performance.now() + timeoutMs;
      const waiting = { deadline, expire: () => void late.push(name) };
      shared.start(waiting);
      return () => shared.stop(waiting);
    };
    return { late, start };
  }

  it("ends each request at its own deadline with a single timer", () => {
    const { late, start } = createClock(20);
    start("first");
    vi.advanceTimersByTime(12);
    start("second");
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(9);
    expect(late).toEqual(["first"]);
    vi.advanceTimersByTime(10);
    expect(late).toEqual(["first"]);
    vi.advanceTimersByTime(3);
    expect(late).toEqual(["first", "second"]);
  });

  it("uses one timer even if an expired request starts another request", () => {
    const shared = new SharedDeadline(20);
    const now = performance.now();
    const second = { deadline: now + 40, expire: vi.fn() };
    const expire = (): void => shared.start(second);
    shared.start({ deadline: now + 20, expire });
    vi.advanceTimersByTime(20);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(25);
    expect(second.expire).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not report stopped requests", () => {
    const { late, start } = createClock(20);
    const stop = start("stopped");
    start("late");
    stop();
    stop();
    vi.advanceTimersByTime(25);
    expect(late).toEqual(["late"]);
  });

  it("continues after a pause, regardless of how much time its timer has left", () => {
    const { late, start } = createClock(20);
    start("stopped")();
    vi.advanceTimersByTime(15);
    start("late");
    vi.advanceTimersByTime(19);
    expect(late).toEqual([]);
    vi.advanceTimersByTime(4);
    expect(late).toEqual(["late"]);
    start("later");
    vi.advanceTimersByTime(25);
    expect(late).toEqual(["late", "later"]);
  });

  it("clears numeric timers", () => {
    const clear = vi.spyOn(globalThis, "clearTimeout");
    vi.spyOn(globalThis, "setTimeout").mockReturnValue(7 as never);
    createClock(20).start("stopped")();
    expect(clear).toHaveBeenCalledExactlyOnceWith(7);
  });
});

describe("startDeadline", () => {
  it("uses a separate timer for shorter limits", () => {
    const shared = new SharedDeadline(1000);
    const expire = vi.fn();
    startDeadline(shared, 10, { deadline: performance.now() + 10, expire });
    const other = { deadline: performance.now() + 11, expire };
    startDeadline(shared, 11, other)?.();
    vi.advanceTimersByTime(15);
    expect(expire).toHaveBeenCalledTimes(1);
  });

  it("does not share a timer on Workers, where a timer ends with its request", () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    const shared = new SharedDeadline(20);
    const late: string[] = [];
    const start = (name: string): (() => void) | null => {
      const deadline = performance.now() + 20;
      const expire = (): void => void late.push(name);
      return startDeadline(shared, 20, { deadline, expire });
    };
    const stop = start("first");
    start("second");
    expect(vi.getTimerCount()).toBe(2);
    stop?.();
    vi.advanceTimersByTime(25);
    expect(late).toEqual(["second"]);
  });

  it("starts no timer that exceeds the maximum timer duration", () => {
    const waiting = { deadline: Infinity, expire: vi.fn() };
    startDeadline(new SharedDeadline(2 ** 31), 2 ** 31, waiting);
    expect(vi.getTimerCount()).toBe(0);
  });
});

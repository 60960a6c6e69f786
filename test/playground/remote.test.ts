import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  ClosedError,
  offer,
  Remote,
} from "../../apps/playground/worker/remote.js";

interface Api {
  add(left: number, right: number): number;
  stop(): void;
}

/** A worker whose replies the test controls. */
class FakeWorker extends EventTarget {
  readonly asked: unknown[] = [];
  isEnded = false;

  postMessage(question: unknown): void {
    this.asked.push(question);
  }

  terminate(): void {
    this.isEnded = true;
  }

  answer(data: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function connect() {
  const worker = new FakeWorker();
  const onStall = vi.fn();
  const remote = new Remote<Api>(worker, onStall);
  return { worker, onStall, remote };
}

/** Connects to a worker that is loaded, and has said so. */
function connectLoaded() {
  const connected = connect();
  connected.worker.answer(null);
  return connected;
}

test("each call receives its own reply, in any order", async () => {
  const { remote, worker } = connect();
  const sums = [remote.call("add", 1, 2), remote.call("add", 3, 4)];
  expect(worker.asked).toEqual([
    { id: 1, name: "add", args: [1, 2] },
    { id: 2, name: "add", args: [3, 4] },
  ]);
  worker.answer({ id: 2, value: 7 });
  worker.answer({ id: 1, value: 3 });
  expect(await Promise.all(sums)).toEqual([3, 7]);
});

test("a call fails with the error that the function in the worker throws", async () => {
  const { remote, worker } = connect();
  const call = remote.call("add", 1, 2);
  worker.answer({ id: 1, error: "TypeError: no" });
  await expect(call).rejects.toThrow("TypeError: no");
});

test("terminates a worker that hangs, and reports it once", async () => {
  const { onStall, remote, worker } = connectLoaded();
  const calls = [remote.call("add", 1, 2), remote.call("stop")];
  const ends = Promise.allSettled(calls);
  vi.advanceTimersByTime(9_999);
  expect(worker.isEnded).toBe(false);
  vi.advanceTimersByTime(1);
  expect(worker.isEnded).toBe(true);
  for (const end of await ends) {
    expect(end).toMatchObject({ reason: expect.any(ClosedError) });
  }
  vi.advanceTimersByTime(60_000);
  expect(onStall).toHaveBeenCalledOnce();
});

test("waits for a worker that takes long to load", async () => {
  const { onStall, remote, worker } = connect();
  const call = remote.call("add", 1, 2);
  vi.advanceTimersByTime(60_000);
  expect(onStall).not.toHaveBeenCalled();
  worker.answer(null);
  worker.answer({ id: 1, value: 3 });
  expect(await call).toBe(3);
});

test("waits for a call while its worker shows signs of life", async () => {
  const { onStall, remote, worker } = connectLoaded();
  void remote.call("add", 1, 2).catch(() => {});
  for (let seconds = 0; seconds < 60; seconds += 5) {
    worker.answer(null);
    vi.advanceTimersByTime(5_000);
  }
  expect(onStall).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5_000);
  expect(onStall).toHaveBeenCalledOnce();
});

test("a worker shows signs of life once it is loaded, and while a call waits", async () => {
  const posted: unknown[] = [];
  const self = Object.assign(new EventTarget(), {
    postMessage: (message: unknown) => posted.push(message),
  });
  vi.stubGlobal("self", self);
  let finish = (): void => {};
  offer({ stop: () => new Promise<void>((resolve) => (finish = resolve)) });
  expect(posted.splice(0)).toEqual([null]);
  const data = { id: 1, name: "stop", args: [] };
  self.dispatchEvent(new MessageEvent("message", { data }));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(posted.splice(0)).toEqual([null, null, null]);
  finish();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(posted).toEqual([{ id: 1, value: undefined }]);
  vi.unstubAllGlobals();
});

test("extends its timeout while a worker keeps replying", async () => {
  const { onStall, remote, worker } = connectLoaded();
  const slow = remote.call("add", 1, 2);
  void remote.call("stop");
  vi.advanceTimersByTime(9_000);
  worker.answer({ id: 2 });
  vi.advanceTimersByTime(9_000);
  worker.answer({ id: 1, value: 3 });
  expect(await slow).toBe(3);
  vi.advanceTimersByTime(60_000);
  expect(onStall).not.toHaveBeenCalled();
});

test("does not extend its timeout because of further calls", async () => {
  const { onStall, remote } = connectLoaded();
  const call = remote.call("stop");
  vi.advanceTimersByTime(9_000);
  const later = remote.call("stop");
  vi.advanceTimersByTime(1_000);
  await expect(call).rejects.toThrow(ClosedError);
  await expect(later).rejects.toThrow(ClosedError);
  expect(onStall).toHaveBeenCalledOnce();
});

test("rejects calls to a worker that was stopped, and reports it once", async () => {
  const { onStall, remote, worker } = connect();
  worker.dispatchEvent(new Event("error"));
  await expect(remote.call("stop")).rejects.toThrow(ClosedError);
  vi.advanceTimersByTime(60_000);
  expect(onStall).toHaveBeenCalledOnce();
});

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Places } from "../../../runtime/typescript/server/model/places.js";
import { Refusal } from "../../../runtime/typescript/server/model/refusal.js";
import { createClock } from "./stream-server.js";

// On Workers, a request can end without running any more code, its timers end
// with it, and it cannot wake another request.

beforeEach(() => {
  vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function createPlaces(maxQueued: number): Places {
  return new Places({
    ...{ count: 1, perTenant: Infinity, maxQueued, queueMs: 10_000 },
    onQueue: () => undefined,
  });
}

it("frees the slot of a request that ended without releasing it", () => {
  const places = createPlaces(0);
  places.enter("lost", 3000);
  expect(places.isClosed).toBe(true);
  expect(places.enter("a", 3000)).toBeInstanceOf(Refusal);
  vi.advanceTimersByTime(3000);
  expect(places.isClosed).toBe(false);
  expect(places.enter("a", 3000)).toMatchObject({ isHeld: true });
});

it("releases a slot only once", () => {
  const places = createPlaces(0);
  const lost = places.enter("lost", 3000);
  vi.advanceTimersByTime(3000);
  places.enter("a", 3000);
  if ("isHeld" in lost) places.release(lost);
  expect(places.isClosed).toBe(true);
});

it("keeps a slot whose lease is renewed", () => {
  const places = createPlaces(0);
  const place = places.enter("a", 3000);
  vi.advanceTimersByTime(2000);
  if ("isHeld" in place) places.renew(place, 3000);
  vi.advanceTimersByTime(2000);
  expect(places.isClosed).toBe(true);
});

it("admits a queued request in a callback of the request's own timer", async () => {
  const places = createPlaces(1);
  const first = places.enter("a", 3000);
  const second = places.enter("b", 3000);
  if (!("isHeld" in first) || !("outcome" in second)) throw new TypeError();
  const admitted = vi.fn();
  void second.outcome.then(admitted);
  const before = vi.getTimerCount();
  places.release(first);
  // A timer of this request would end with it.
  expect(vi.getTimerCount()).toBe(before);
  await Promise.resolve();
  expect(admitted).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20);
  expect(admitted).toHaveBeenCalledWith(
    expect.objectContaining({ isHeld: true }),
  );
  expect(vi.getTimerCount()).toBe(0);
});

it("passes a slot on if the admitted request has ended", async () => {
  const places = createPlaces(2);
  const first = places.enter("a", 3000);
  // Nothing polls for this request anymore.
  const interval = vi.spyOn(globalThis, "setInterval");
  interval.mockReturnValueOnce(setTimeout(() => undefined));
  places.enter("lost", 3000);
  const third = places.enter("c", 3000);
  if (!("isHeld" in first) || !("outcome" in third)) throw new TypeError();
  const admitted = vi.fn();
  void third.outcome.then(admitted);
  places.release(first);
  await vi.advanceTimersByTimeAsync(1000);
  expect(admitted).not.toHaveBeenCalled();
  places.enter("d", 3000);
  await vi.advanceTimersByTimeAsync(20);
  expect(admitted).toHaveBeenCalled();
});

it("frees the slot of a stream as soon as its reader leaves", async () => {
  const options = { maxConcurrent: 1, timeoutMs: 3000 };
  const clock = createClock(async function* () {
    yield { n: 1 };
    await new Promise(() => undefined);
  }, options);
  const open = (): Promise<Response> => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: "{}" };
    return clock.fetch(new Request("http://host/rpc/Clock/Watch", init));
  };
  const { body } = await open();
  const reader = body?.getReader();
  await reader?.read();
  const pending = reader?.read();
  expect((await open()).status).toBe(503);
  await reader?.cancel();
  expect((await open()).status).toBe(200);
  await pending;
});

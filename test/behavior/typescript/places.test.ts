import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  type Slot,
  type PlaceLimits,
  Places,
} from "../../../runtime/typescript/server/model/places.js";
import { Refusal } from "../../../runtime/typescript/server/model/refusal.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/**
 * Creates slots, and records the outcomes of requests. A tenant and a number
 * identify each request.
 */
function createHarness(limits: Partial<PlaceLimits>) {
  let queued = 0;
  const places = new Places({
    ...{ count: Infinity, perTenant: Infinity, maxQueued: 0, queueMs: 1000 },
    onQueue: (change) => (queued += change),
    ...limits,
  });
  const held = new Map<string, Slot>();
  const refused: string[] = [];
  const note = (name: string, outcome: Slot | Refusal): void => {
    if (!(outcome instanceof Refusal)) held.set(name, outcome);
    else refused.push(`${name} ${String(outcome.status)}`);
  };
  const enter = (name: string): (() => void) => {
    const entry = places.enter(name.slice(0, 1), 1000);
    if (!("outcome" in entry)) {
      note(name, entry);
      return () => undefined;
    }
    void entry.outcome.then((outcome) => note(name, outcome));
    return entry.leave;
  };
  const release = async (name: string): Promise<void> => {
    const place = held.get(name);
    if (place !== undefined) places.release(place);
    held.delete(name);
    // Wait for two turns of the event loop.
    await vi.advanceTimersByTimeAsync(2);
  };
  const enterAll = (...names: readonly string[]): void => {
    for (const name of names) enter(name);
  };
  return {
    enter,
    enterAll,
    release,
    refused,
    running: () => [...held.keys()],
    queued: () => queued,
    isClosed: () => places.isClosed,
  };
}

it("rejects requests if no slot is free and there is no queue", async () => {
  const hall = createHarness({ count: 2 });
  hall.enterAll("a1", "a2", "b1");
  expect(hall.running()).toEqual(["a1", "a2"]);
  expect(hall.refused).toEqual(["b1 503"]);
  expect(hall.isClosed()).toBe(true);
  await hall.release("a1");
  expect(hall.isClosed()).toBe(false);
  hall.enterAll("b2");
  expect(hall.running()).toEqual(["a2", "b2"]);
});

it("lets tenants take turns, and starts the oldest request of each", async () => {
  const hall = createHarness({ count: 1, maxQueued: 10 });
  hall.enterAll("a1", "a2", "a3", "a4", "b1", "c1", "b2");
  const order: string[] = [];
  while (hall.running().length > 0) {
    const [name = ""] = hall.running();
    order.push(name);
    await hall.release(name);
  }
  expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  expect(hall.queued()).toBe(0);
});

it("skips tenants that have reached their own limit", async () => {
  const hall = createHarness({ count: 3, perTenant: 1, maxQueued: 10 });
  hall.enterAll("a1", "a2", "b1", "c1", "b2", "d1");
  expect(hall.running()).toEqual(["a1", "b1", "c1"]);
  await hall.release("c1");
  expect(hall.running()).toEqual(["a1", "b1", "d1"]);
  await hall.release("a1");
  expect(hall.running()).toEqual(["b1", "d1", "a2"]);
});

it("distinguishes a tenant that has reached its limit from a full server", () => {
  const hall = createHarness({ count: 2, perTenant: 1 });
  hall.enterAll("a1", "a2", "b1", "c1");
  expect(hall.refused).toEqual(["a2 429", "c1 503"]);
});

it("rejects requests that have waited too long", async () => {
  const hall = createHarness({ count: 1, maxQueued: 10, queueMs: 500 });
  hall.enterAll("a1", "b1");
  await vi.advanceTimersByTimeAsync(499);
  hall.enterAll("c1");
  expect([hall.refused, hall.queued()]).toEqual([[], 2]);
  await vi.advanceTimersByTimeAsync(1);
  expect([hall.refused, hall.queued()]).toEqual([["b1 503"], 1]);
  await hall.release("a1");
  expect(hall.running()).toEqual(["c1"]);
  expect(vi.getTimerCount()).toBe(0);
});

it("drops the newest request of the tenant with the most queued requests when the queue is full", async () => {
  const hall = createHarness({ count: 1, maxQueued: 4 });
  hall.enterAll("a1", "a2", "a3", "a4", "a5");
  hall.enterAll("a6", "b1", "b2", "b3");
  await vi.advanceTimersByTimeAsync(0);
  expect(hall.refused.sort()).toEqual(["a4 503", "a5 503", "a6 503", "b3 503"]);
  await hall.release("a1");
  await hall.release("a2");
  expect(hall.running()).toEqual(["b1"]);
});

it("gives no slot to a request that has left the queue", async () => {
  const hall = createHarness({ count: 1, maxQueued: 10 });
  hall.enterAll("a1");
  const leave = hall.enter("b1");
  hall.enterAll("c1");
  leave();
  leave();
  await hall.release("a1");
  expect([hall.running(), hall.refused]).toEqual([["c1"], ["b1 503"]]);
  expect(hall.queued()).toBe(0);
});

it("starts handlers in later turns if one turn takes too long", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const hall = createHarness({ maxQueued: 10 });
  hall.enterAll("b1", "a1");
  now += 2;
  hall.enterAll("a2", "a3", "c1", "b2");
  expect([hall.running(), hall.queued()]).toEqual([["b1", "a1", "c1"], 3]);
  await vi.advanceTimersByTimeAsync(0);
  expect(hall.running()).toEqual(["b1", "a1", "c1", "a2"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(hall.running()).toEqual(["b1", "a1", "c1", "a2", "b2", "a3"]);
  expect(hall.refused).toEqual([]);
});

it("lets a single tenant start all of its requests at once", () => {
  let now = 5000;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 2));
  const hall = createHarness({ maxQueued: 10 });
  hall.enterAll("b1");
  now += 1000;
  hall.enterAll("a1");
  now += 1000;
  hall.enterAll("a2", "a3");
  expect(hall.running()).toEqual(["b1", "a1", "a2", "a3"]);
});

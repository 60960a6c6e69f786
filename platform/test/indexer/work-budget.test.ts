import fc from "fast-check";
import { expect, test } from "vitest";

import {
  createWorkBudget,
  type Excess,
  type WorkLimits,
} from "../../services/indexer/work-budget.js";

const limits = { perProject: 100, maxItems: 10, total: 1000 };

const itemOf = (projectId: number, id: number) => ({ projectId, id });
type Item = ReturnType<typeof itemOf>;

function open(own: WorkLimits) {
  const setAside = new Map<Item, Excess>();
  const { charge } = createWorkBudget<Item>(own, (item, excess) => {
    expect(setAside.has(item)).toBe(false);
    setAside.set(item, excess);
  });
  return { charge, setAside };
}

test("sets aside the item of a project that used most of its budget", () => {
  const { charge, setAside } = open(limits);
  const [small, large, other] = [itemOf(1, 1), itemOf(1, 2), itemOf(2, 3)];
  expect(charge(large, 70)).toBe(true);
  expect(charge(other, 90)).toBe(true);
  expect(charge(small, 40)).toBe(true);
  expect([...setAside]).toEqual([[large, { work: 70, isOwn: true }]]);
  expect(charge(large, 1)).toBe(false);
  expect(charge(small, 60)).toBe(true);
  expect(charge(other, 11)).toBe(false);
  expect(setAside.get(other)).toEqual({ work: 101, isOwn: true });
});

test("sets aside the items that need more once the common budget is used up", () => {
  const { charge, setAside } = open({ ...limits, total: 150 });
  const [one, other, small] = [itemOf(1, 1), itemOf(2, 2), itemOf(3, 3)];
  expect(charge(one, 90)).toBe(true);
  expect(charge(other, 60)).toBe(true);
  // Work that was done for another item costs nothing.
  expect(charge(small, 20, true)).toBe(true);
  expect(charge(other, 1)).toBe(false);
  expect([...setAside]).toEqual([[other, { work: 61, isOwn: false }]]);
});

test("bounds the work of each project, however its items share it", () => {
  const charges = fc.array(
    fc.record({
      projectId: fc.nat({ max: 2 }),
      id: fc.nat({ max: 9 }),
      work: fc.integer({ min: 1, max: 40 }),
    }),
    { maxLength: 400 },
  );
  fc.assert(
    fc.property(charges, fc.constantFrom(150, 1000), (given, total) => {
      const { charge, setAside } = open({ ...limits, total });
      const items = new Map<string, Item>();
      const done = new Map<number, number>();
      const asked = new Map<number, number>();
      for (const { id, projectId, work } of given) {
        const name = `${projectId} ${id}`;
        const item = items.get(name) ?? itemOf(projectId, id);
        items.set(name, item);
        asked.set(projectId, (asked.get(projectId) ?? 0) + work);
        if (!charge(item, work)) continue;
        done.set(projectId, (done.get(projectId) ?? 0) + work);
      }
      const all = [...done.values()].reduce((sum, own) => sum + own, 0);
      expect(all).toBeLessThanOrEqual(total);
      for (const own of done.values()) expect(own).toBeLessThanOrEqual(300);
      for (const [{ projectId }, { isOwn }] of setAside) {
        if (isOwn) expect(asked.get(projectId)).toBeGreaterThan(100);
      }
    }),
  );
});

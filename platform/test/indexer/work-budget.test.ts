import fc from "fast-check";
import { expect, test } from "vitest";

import { createWorkBudget } from "../../services/indexer/work-budget.js";

const limits = { perProject: 100, maxItems: 10, total: 1000, projects: 3 };

const itemOf = (projectId: number, id: number) => ({ projectId, id });

test("sets aside the item of a project that used most of its budget", () => {
  const budget = createWorkBudget(limits);
  const [small, large, other] = [itemOf(1, 1), itemOf(1, 2), itemOf(2, 3)];
  expect(budget.charge(large, 70)).toBe(true);
  expect(budget.charge(other, 90)).toBe(true);
  expect(budget.charge(small, 40)).toBe(true);
  expect([...budget.setAside]).toEqual([[large, 70]]);
  expect(budget.charge(large, 1)).toBe(false);
  expect(budget.charge(small, 60)).toBe(true);
  expect(budget.charge(other, 11)).toBe(false);
  expect([...budget.setAside]).toEqual([
    [large, 70],
    [other, 101],
  ]);
});

test("leaves each project its equal share once all have used up their common budget", () => {
  const budget = createWorkBudget({ ...limits, total: 150 });
  const [one, other, small] = [itemOf(1, 1), itemOf(2, 2), itemOf(3, 3)];
  expect(budget.charge(one, 90)).toBe(true);
  expect(budget.charge(other, 60)).toBe(true);
  expect(budget.charge(other, 1)).toBe(false);
  expect(budget.charge(one, 1)).toBe(false);
  expect(budget.charge(small, 50)).toBe(true);
  // Work that was done for another item costs nothing.
  expect(budget.charge(small, 20, true)).toBe(true);
  expect(budget.charge(small, 1)).toBe(false);
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
      const budget = createWorkBudget<ReturnType<typeof itemOf>>({
        ...{ ...limits, total },
      });
      const items = new Map<string, ReturnType<typeof itemOf>>();
      const done = new Map<number, number>();
      const asked = new Map<number, number>();
      for (const { id, projectId, work } of given) {
        const name = `${projectId} ${id}`;
        const item = items.get(name) ?? itemOf(projectId, id);
        items.set(name, item);
        asked.set(projectId, (asked.get(projectId) ?? 0) + work);
        if (!budget.charge(item, work)) continue;
        done.set(projectId, (done.get(projectId) ?? 0) + work);
      }
      const all = [...done.values()].reduce((sum, total) => sum + total, 0);
      expect(all).toBeLessThanOrEqual(2 * total);
      for (const own of done.values()) expect(own).toBeLessThanOrEqual(300);
      for (const [projectId, own] of asked) {
        if (own > Math.min(100, total / limits.projects)) continue;
        const aside = [...budget.setAside.keys()].map((each) => each.projectId);
        expect(aside).not.toContain(projectId);
      }
    }),
  );
});

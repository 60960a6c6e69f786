import fc from "fast-check";
import { expect, test } from "vitest";

import { createWorkBudget } from "../../services/indexer/work-budget.js";

const itemOf = (projectId: number, id: number) => ({ projectId, id });

test("sets aside the item of a project that used most of its budget", () => {
  const budget = createWorkBudget(100, 10);
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

test("sets aside only the item whose work is infinite", () => {
  const budget = createWorkBudget(100, 10);
  const [small, endless] = [itemOf(1, 1), itemOf(1, 2)];
  expect(budget.charge(small, 60)).toBe(true);
  expect(budget.charge(endless, Infinity)).toBe(false);
  expect(budget.charge(small, 40)).toBe(true);
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
    fc.property(charges, (given) => {
      const budget = createWorkBudget<ReturnType<typeof itemOf>>(100, 10);
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
      for (const total of done.values()) expect(total).toBeLessThanOrEqual(300);
      for (const [projectId, total] of asked) {
        if (total > 100) continue;
        const aside = [...budget.setAside.keys()].map((each) => each.projectId);
        expect(aside).not.toContain(projectId);
      }
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";

import { takeTurns, type Work } from "../../services/indexer/take-turns.js";

function* workOf(
  steps: readonly number[],
  onDone: () => void,
): Work<{ readonly work: number }> {
  for (const work of steps) {
    if (!(yield { work })) return;
  }
  onDone();
}

/** Runs parts until their work exceeds a limit. Returns those that finished. */
function run(parts: readonly (readonly number[])[], limit: number) {
  const finished = new Set<number>();
  const work = takeTurns(
    parts.map((steps, at) => workOf(steps, () => finished.add(at))),
  );
  let done = 0;
  let next = work.next();
  while (next.done !== true) {
    const isAllowed = done + next.value.work <= limit;
    if (isAllowed) done += next.value.work;
    next = work.next(isAllowed);
  }
  return { done, finished };
}

test("finishes what needs at most an equal share, in any order and however many need nothing", () => {
  const parts = fc.array(
    fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 50 }),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(parts, fc.integer({ min: 0, max: 20_000 }), (given, limit) => {
      const idle = Array.from({ length: 400 }, () => []);
      const { done, finished } = run([...idle, ...given], limit);
      expect(done).toBeLessThanOrEqual(limit);
      const active = given.filter((steps) => steps.length > 0).length;
      const sum = (steps: readonly number[]) =>
        steps.reduce((total, work) => total + work, 0);
      for (const [at, steps] of given.entries()) {
        // The others can be ahead by a turn.
        if (sum(steps) > limit / active - 20) continue;
        expect(finished).toContain(idle.length + at);
      }
    }),
  );
});

test("takes turns within the parts, too", () => {
  const order: string[] = [];
  const part = (name: string, steps: number) =>
    workOf(
      Array.from({ length: steps }, () => 60),
      () => order.push(name),
    );
  const work = takeTurns([
    takeTurns([part("a large", 20), part("a small", 4)]),
    takeTurns([part("b", 5)]),
  ]);
  let next = work.next();
  while (next.done !== true) next = work.next(true);
  expect(order).toEqual(["b", "a small", "a large"]);
});

import { expect, test } from "vitest";
import { writeSchema } from "../../bench/language/large-schema.js";
import { checkDocuments } from "../support/check-documents.js";

/** Methods that take a step for each entry, as far as they go. */
const loops = [
  ...["map", "flatMap", "filter", "find", "findLast", "findIndex", "some"],
  ...["every", "includes", "indexOf", "forEach", "reduce", "join", "sort"],
] as const;
const lookUps = ["get", "has", "set"] as const;

/** Steps over lists and look-ups in tables while something runs. */
function countSteps(run: () => void): number {
  let steps = 0;
  const undo: (() => void)[] = [];
  const count = (
    prototype: object,
    names: readonly string[],
    cost: (self: object) => number,
  ): void => {
    for (const name of names) {
      const original: unknown = Reflect.get(prototype, name);
      if (typeof original !== "function") continue;
      undo.push(() => Reflect.set(prototype, name, original));
      Reflect.set(prototype, name, function (this: object, ...args: unknown[]) {
        steps += cost(this);
        return Reflect.apply(original, this, args);
      });
    }
  };
  count(Array.prototype, loops, (list) =>
    Array.isArray(list) ? 1 + list.length : 1,
  );
  count(Map.prototype, lookUps, () => 1);
  try {
    run();
  } finally {
    for (const each of undo) each();
  }
  return steps;
}

function stepsFor(text: string): number {
  return countSteps(() => {
    checkDocuments(["a.ridl"], { read: () => text });
  });
}

/** Faults of each kind that a schema may have thousands of. */
function writeFaults(count: number): string {
  const faults = Array.from(
    { length: count },
    (_, index) => `
struct S${index}
  - a: Missing${index}
  - a: S${index}
  - b: map<bool,int>
  + minimm = 1
type A${index}: A${(index + 1) % count}
error 7 E${index % 9} "" HTTP 20
service V
  @auht
  - M(x: int, x: int) => (y: T) errors Nope
  - m()
`,
  );
  return `webrpc = v1\n${faults.join("")}`;
}

test.each([
  ["a schema without faults", (size: number) => writeSchema(size * 10)],
  ["a schema full of faults", (size: number) => writeFaults(size)],
  [
    "imports of one document",
    (size: number) => `webrpc = v1\n${"import x.ridl\n - A\n".repeat(size)}`,
  ],
])("twice the input of %s is at most twice the work", (_name, write) => {
  const single = stepsFor(write(300));
  const double = stepsFor(write(600));
  expect(single).toBeGreaterThan(300);
  expect(double).toBeLessThan(single * 2.2);
});

/** List methods that visit one item after another until they return. */
const loops = [
  ...["map", "flatMap", "filter", "find", "findLast", "findIndex", "some"],
  ...["every", "includes", "indexOf", "forEach", "reduce", "join", "sort"],
] as const;
const lookUps = ["get", "has", "set"] as const;
/** Text methods that read the whole text. */
const readers = [
  "match",
  "matchAll",
  "replace",
  "replaceAll",
  "split",
] as const;

/**
 * Counts the visits to list items, the table lookups and the characters of texts
 * that are searched while a function runs.
 */
export function countSteps(run: () => void): number {
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
  count(String.prototype, readers, (text) => 1 + String(text).length);
  try {
    run();
  } finally {
    for (const each of undo) each();
  }
  return steps;
}

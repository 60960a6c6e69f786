import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Draw } from "../../../runtime/typescript/server/mock.js";
import {
  mockMethod,
  mockStream,
} from "../../../runtime/typescript/codegen/mock-methods.js";

const anySeed = fc.integer();

/** Draws many values, each with a different seed. */
function many<T>(make: (draw: Draw) => T): readonly T[] {
  return Array.from({ length: 200 }, (_, seed) => make(new Draw(seed)));
}

interface Tree {
  readonly left: Tree | null;
  readonly all: readonly Tree[];
}

function drawTree(draw: Draw): Tree {
  return { left: draw.nullable(drawTree), all: draw.list(1, 3, drawTree) };
}

describe("Draw", () => {
  it("draws the same values on every system", () => {
    const draw = new Draw("seed", "Shop/GetOrder", { id: 1 });
    expect([
      draw.integer(0, 1000),
      draw.number(0, 1),
      draw.text(5, 20),
      draw.timestamp(),
    ]).toMatchInlineSnapshot(`
      [
        118,
        0.35,
        "ember birch",
        "2024-05-26T17:19:54.000Z",
      ]
    `);
  });

  it("depends on all keys, but not on the order of properties", () => {
    const first = ({ ...keys }: object) => new Draw(keys).integer(0, 1e9);
    expect(first({ a: 1, b: 2 })).toBe(first({ b: 2, a: 1 }));
    expect(first({ a: 1, b: 2 })).not.toBe(first({ a: 1, b: 3 }));
    expect(first({ a: 1n })).not.toBe(first({ a: 2n }));
  });

  it("keeps numbers within their limits", () => {
    const limits = fc.tuple(fc.integer(), fc.nat({ max: 1000 }));
    fc.assert(
      fc.property(anySeed, limits, (seed, [min, width]) => {
        const draw = new Draw(seed);
        const max = min + width;
        for (const value of [draw.integer(min, max), draw.number(min, max)]) {
          expect(value).toBeGreaterThanOrEqual(min);
          expect(value).toBeLessThanOrEqual(max);
        }
        expect(draw.bigint(2n ** 70n, 2n ** 70n)).toBe(2n ** 70n);
      }),
    );
  });

  it("never draws -0, which JSON cannot represent", () => {
    const values = many((draw) => draw.number(-0.01, 0.01));
    expect(values.filter((value) => Object.is(value, -0))).toEqual([]);
    expect(values).toContain(0);
  });

  it("reaches both ends of a range", () => {
    const values = new Set(many((draw) => draw.integer(1, 3)));
    expect(values).toEqual(new Set([1, 2, 3]));
  });

  it("draws strings of the given length, without leading or trailing spaces", () => {
    fc.assert(
      fc.property(anySeed, fc.nat(40), fc.nat(40), (seed, min, more) => {
        const text = new Draw(seed).text(min, min + more);
        expect(text.length).toBeGreaterThanOrEqual(min);
        expect(text.length).toBeLessThanOrEqual(min + more);
        expect(text.trim()).toBe(text);
      }),
    );
  });

  it("uses an example once, and then other values", () => {
    const items = many((draw) =>
      draw.list(3, 3, () => draw.prefer("example", () => draw.text(3, 9))),
    );
    for (const [first, ...others] of items) {
      expect(first).toBe("example");
      expect(others).not.toContain("example");
    }
  });

  it("draws lists without duplicates as long as there are enough values", () => {
    const dates = many((draw) => draw.unique(2, 3, () => draw.date()));
    for (const list of dates) {
      expect(new Set(list.map(String)).size).toBe(list.length);
      expect(list.length).toBeGreaterThan(1);
    }
    const few = many((draw) => draw.unique(1, 3, () => draw.pick(["a"])));
    expect(new Set(few.map(String))).toEqual(new Set(["a"]));
  });

  it("omits some optional fields, whatever their names are", () => {
    const objects = many((draw) => draw.optional("__proto__", () => 1));
    const present = objects.filter((each) => Object.hasOwn(each, "__proto__"));
    expect(present.length).toBeGreaterThan(100);
    expect(present.length).toBeLessThan(objects.length);
  });

  it("stops nesting values, even if they become invalid", () => {
    const sizes = many((draw) => JSON.stringify(drawTree(draw)).length);
    expect(Math.max(...sizes)).toBeLessThan(1_000_000);
  });
});

describe("mock handlers", () => {
  const draw = (each: Draw): number => each.integer(0, 1e9);

  it("return the same data for the same request, regardless of earlier calls", () => {
    const handle = mockMethod({ seed: 1 }, "Shop/GetOrder", draw);
    const first = handle({ id: 1 });
    expect(handle({ id: 2 })).not.toBe(first);
    expect(handle({ id: 1 })).toBe(first);
    expect(mockMethod({}, "Shop/GetOrder", draw)({ id: 1 })).not.toBe(first);
    expect(mockMethod({ seed: 1 }, "Shop/Ping", draw)({ id: 1 })).not.toBe(
      first,
    );
  });

  it("return streams with some items", async () => {
    const handle = mockStream({}, "Shop/Watch", draw);
    const take = async (): Promise<readonly number[]> => {
      const items: number[] = [];
      for await (const item of handle({})) items.push(item);
      return items;
    };
    const items = await take();
    expect(items.length).toBeGreaterThan(0);
    expect(await take()).toEqual(items);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  listOf,
  listOfValues,
  mapOf,
  mapOfValues,
} from "../../../runtime/typescript/codegen/checks.js";
import {
  isRecord,
  isString,
  isUint8,
  keyOf,
} from "../../../runtime/typescript/values/validation.js";
import { maxFailures } from "../../../runtime/typescript/values/report.js";
import {
  printFailures,
  toPointer,
  validate,
  type Check,
} from "../../../runtime/typescript/values/validation.js";

/** Checks a `struct Node { name: string, next?: Node, secret?: string }`. */
const checkNode: Check = (value, report) => {
  if (!isRecord(value)) return report.fail("an object", value);
  if (!isString(value["name"]))
    report.failAt("name", "a string", value["name"]);
  if (value["secret"] !== undefined && !isString(value["secret"])) {
    report.hidden += 1;
    report.failAt("secret", "a string", value["secret"]);
    report.hidden -= 1;
  }
  if (value["next"] !== undefined) {
    report.enter("next");
    checkNode(value["next"], report);
    report.leave();
  }
};

function printed(check: Check, value: unknown): string {
  return printFailures(validate(check, value));
}

describe("failures", () => {
  it.each([
    [{ name: "a", next: { name: "b" } }, ""],
    [undefined, "expected an object, got nothing"],
    [null, "expected an object, got null"],
    [[1, 2, 3], "expected an object, got a list of 3"],
    ["x", 'expected an object, got "x"'],
    [true, "expected an object, got true"],
    [{}, "name: expected a string, got nothing"],
    [{ name: {} }, "name: expected a string, got an object"],
    [{ name: -1.5 }, "name: expected a string, got -1.5"],
    [{ name: 2n ** 64n }, "name: expected a string, got 18446744073709551616"],
    [
      { name: "a", next: { name: 1, next: [] } },
      "next.name: expected a string, got 1; next.next: expected an object, got a list of 0",
    ],
    [{ name: "a", secret: 7 }, "secret: expected a string, got a hidden value"],
    [
      { name: "a", secret: null },
      "secret: expected a string, got a hidden value",
    ],
    [{ name: () => 1 }, "name: expected a string, got a function"],
  ])("are described exactly: no. %#", (value, expected) => {
    expect(printed(checkNode, value)).toBe(expected);
  });

  it("quote at most 40 code points of a string, on one line", () => {
    const check: Check = (value, report) => report.fail("x", value);
    const got = (value: unknown) => validate(check, value)[0]?.got;
    expect(got("a".repeat(40))).toBe(`"${"a".repeat(40)}"`);
    expect(got("a".repeat(41))).toBe(`"${"a".repeat(40)}…"`);
    expect(got("😀".repeat(41))).toBe(`"${"😀".repeat(40)}…"`);
    expect(got("x".repeat(1 << 20))).toHaveLength(43);
    expect(got(10n ** 500n)).toHaveLength(41);
    expect(got('a"b\n\u2028\u0000\ud800')).toBe(
      String.raw`"a\"b\n\u2028\u0000\ud800"`,
    );
  });

  it("have paths that people and programs can read", () => {
    const check: Check = (_, report) => {
      for (const key of ["input", 0, "a b", "x/y~z", ""]) report.enter(key);
      report.fail("x", 1);
    };
    const failures = validate(check, null);
    expect(printFailures(failures)).toBe(
      'input[0]["a b"]["x/y~z"][""]: expected x, got 1',
    );
    expect(failures.map((failure) => toPointer(failure.path))).toEqual([
      "/input/0/a b/x~1y~0z/",
    ]);
    expect(toPointer([])).toBe("");
  });

  it("stop the check when they reach their maximum number", () => {
    let calls = 0;
    const check = listOf((value, report) => {
      calls += 1;
      report.fail("nothing", value);
    });
    const list = Array.from({ length: 10_000 }, (_, index) => index);
    expect(validate(check, list)).toHaveLength(maxFailures);
    expect(calls).toBe(maxFailures);
    expect(validate(listOfValues(isString, "a string"), list)).toHaveLength(
      maxFailures,
    );
    const map = Object.fromEntries(list.map((key) => [`k${key}`, key]));
    expect(validate(mapOfValues(isString, "a string"), map)).toHaveLength(
      maxFailures,
    );
    const eager: Check = (value, report) => {
      for (const _ of list) report.fail("nothing", value);
    };
    expect(validate(eager, list)).toHaveLength(maxFailures);
  });
});

describe("depth", () => {
  function nested(depth: number): unknown {
    let value: object = { name: "leaf" };
    for (let i = 0; i < depth; i += 1) value = { name: "n", next: value };
    return value;
  }

  it("is limited, and exceeding the limit is reported like any other failure", () => {
    expect(validate(checkNode, nested(1000))).toEqual([]);
    for (const depth of [1001, 10_000, 100_000]) {
      expect(printed(checkNode, nested(depth))).toBe(
        "expected at most 1000 levels, got more",
      );
    }
  });

  it("is limited for lists and maps", () => {
    const lists: Check = listOf((value, report) => lists(value, report));
    const maps: Check = mapOf((value, report) => maps(value, report));
    let [list, map]: [unknown, unknown] = [[], {}];
    for (let i = 0; i < 10_000; i += 1) [list, map] = [[list], { a: map }];
    expect(printed(lists, list)).toContain("at most 1000 levels");
    expect(printed(maps, map)).toContain("at most 1000 levels");
  });

  it("does not hide other exceptions", () => {
    const broken = new RangeError("broken");
    const check: Check = () => {
      throw broken;
    };
    expect(() => validate(check, 1)).toThrow(broken);
  });
});

describe("lists", () => {
  const check = listOfValues(isUint8, "a byte", {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
  });
  it.each([
    [[1, 2, 3], ""],
    [[], "expected a list of at least 1 item, got a list of 0"],
    [[1, 2, 3, 4], "expected a list of at most 3 items, got a list of 4"],
    [[1, 2, 1], "expected a list without duplicates, got a list of 3"],
    [
      [1, 256, "a"],
      '[1]: expected a byte, got 256; [2]: expected a byte, got "a"',
    ],
    [{ 0: 1 }, "expected a list, got an object"],
    [null, "expected a list, got null"],
    [[1, , 3], "[1]: expected a byte, got nothing"],
  ])("%j", (value, expected) => {
    expect(printed(check, value)).toBe(expected);
  });

  it("report the paths of faults in structs", () => {
    const value = [{ name: "a" }, { name: 1 }];
    expect(printed(listOf(checkNode), value)).toBe(
      "[1].name: expected a string, got 1",
    );
  });
});

describe("uniqueItems", () => {
  const unique = listOf(() => {}, { uniqueItems: true });
  const isUnique = (list: unknown) => validate(unique, list).length === 0;

  it.each([
    [[1, "1", true, "true", null, "null", [], {}, "[]", "{}"], true],
    [
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      false,
    ],
    [
      [
        [1, 2],
        [2, 1],
      ],
      true,
    ],
    [
      [
        [1, [2]],
        [1, [2]],
      ],
      false,
    ],
    [[{ a: 1 }, { a: 1, b: undefined }], false],
    [[0, -0], false],
    [[JSON.parse('{"__proto__":1}'), {}], true],
    [["a,b", ["a", "b"]], true],
    [[[["a"], "b"], [["a", "b"]]], true],
  ])("gives the expected result for %j", (list, expected) => {
    expect(isUnique(list)).toBe(expected);
  });

  it("compares only valid items", () => {
    const limits = { uniqueItems: (item: unknown) => BigInt(String(item)) };
    const checkByte: Check = (value, report) => {
      if (!isUint8(value)) report.fail("a byte", value);
    };
    for (const check of [
      listOf(checkByte, limits),
      listOfValues(isUint8, "a byte", limits),
    ]) {
      expect(printed(check, [1, 1])).toContain("without duplicates");
      expect(validate(check, ["x", "x"])).toHaveLength(2);
      // Once there are enough failures, no more items are checked.
      const late: Check = (value, report) => {
        for (let i = 0; i < maxFailures; i += 1) report.fail("a map", value);
        check(value, report);
      };
      expect(validate(late, ["x", "x"])).toHaveLength(maxFailures);
    }
  });

  it("compares values that contain cycles", () => {
    const circular = (id: number) => {
      const item: Record<string, unknown> = { id };
      return Object.assign(item, { owner: { items: [item, item] } });
    };
    expect(isUnique([circular(1), circular(2)])).toBe(true);
    expect(isUnique([circular(1), circular(1)])).toBe(false);
  });

  it("distinguishes large integers", () => {
    expect(isUnique([2n ** 64n, 2n ** 64n + 1n, "18446744073709551616"])).toBe(
      true,
    );
    expect(isUnique([2n ** 64n, 2n ** 64n])).toBe(false);
  });

  it("gives the same result as a comparison of all pairs", () => {
    const item = fc.jsonValue({ maxDepth: 2 });
    const list = fc.array(item, { maxLength: 6 });
    const same = (a: unknown, b: unknown): boolean => {
      if (Array.isArray(a) && Array.isArray(b)) {
        return a.length === b.length && a.every((one, i) => same(one, b[i]));
      }
      if (!isRecord(a) || !isRecord(b)) return a === b;
      const keys = Object.keys(a);
      return (
        keys.length === Object.keys(b).length &&
        keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
      );
    };
    fc.assert(
      fc.property(list, (given) => {
        const pairs = given.flatMap((a, i) =>
          given.slice(i + 1).map((b) => same(a, b)),
        );
        expect(isUnique(given)).toBe(!pairs.includes(true));
      }),
      { numRuns: 1000 },
    );
  });

  it("checks a long list quickly", () => {
    const list = Array.from({ length: 100_000 }, (_, id) => ({ id }));
    const start = process.cpuUsage();
    expect(isUnique(list)).toBe(true);
    expect(process.cpuUsage(start).user).toBeLessThan(3_000_000);
  });
});

describe("maps", () => {
  const check = mapOfValues(isString, "a string", {
    minProperties: 1,
    maxProperties: 2,
    isKey: keyOf(isUint8),
    keyTitle: "an unsigned 8-bit integer",
  });
  it.each([
    [{ 1: "a", 255: "b" }, ""],
    [{}, "expected an object with at least 1 entry, got one with 0"],
    [
      { 1: "", 2: "", 3: "" },
      "expected an object with at most 2 entries, got one with 3",
    ],
    // JSON omits members whose value is undefined.
    [
      { 1: undefined },
      "expected an object with at least 1 entry, got one with 0",
    ],
    [{ 1: "", 2: "", 3: undefined }, ""],
    [{ 1: 1 }, '["1"]: expected a string, got 1'],
    [{ a: "a" }, 'a: expected an unsigned 8-bit integer as a key, got "a"'],
    [[], "expected an object, got a list of 0"],
  ])("%j", (value, expected) => {
    expect(printed(check, value)).toBe(expected);
  });

  it("have only own keys, including __proto__", () => {
    const any = mapOfValues(isString, "a string");
    const own = { value: "a", enumerable: true };
    const inherited: unknown = Object.create({ bad: 1 }, { good: own });
    expect(printed(any, inherited)).toBe("");
    expect(printed(any, JSON.parse('{"__proto__":1}'))).toBe(
      "__proto__: expected a string, got 1",
    );
    expect(printed(any, { toString: "a" })).toBe("");
  });

  it("hide their keys together with their values", () => {
    const secret: Check = (value, report) => {
      report.hidden += 1;
      check(value, report);
      report.hidden -= 1;
    };
    expect(printed(secret, { s3cret: "x" })).toBe(
      "*: expected an unsigned 8-bit integer as a key, got a hidden value",
    );
  });
});

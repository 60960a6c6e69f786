import { describe, expect, test } from "vitest";
import { writeSchema } from "../../bench/language/large-schema.js";
import { walkGraph } from "../../generator/2-check/program/graph.js";
import { planContract } from "../../generator/4-emit/typescript/plan/create-plan.js";
import { lintText } from "../lint/lint-text.js";
import {
  alias,
  contract,
  reference,
  scalar,
} from "../support/contract-parts.js";
import { countSteps } from "../support/count-steps.js";

function stepsFor(text: string): number {
  return countSteps(() => {
    lintText({ "a.ridl": text });
  });
}

/**
 * Prints a schema with faults of kinds that a schema may contain thousands of
 * times.
 */
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

/** Prints a declaration for each index. */
function writeLines(
  size: number,
  line: (index: number) => string,
  end = "",
): string {
  const lines = Array.from({ length: size }, (_, index) => line(index));
  return `webrpc = v1\nname = a\nversion = v1\n${lines.join("")}${end}`;
}

/** Prints methods whose requests all have the same type. */
function writeMethods(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `  - M${index}(a: A0)\n`,
  ).join("");
}

test.each([
  ["a schema without faults", (size: number) => writeSchema(size * 10)],
  ["a schema full of faults", (size: number) => writeFaults(size)],
  [
    "imports of one document",
    (size: number) => `webrpc = v1\n${"import x.ridl\n - A\n".repeat(size)}`,
  ],
  [
    "an enum without values",
    (size: number) => `webrpc = v1\nenum E: uint32\n${"  - a\n".repeat(size)}`,
  ],
  [
    "aliases of each other, with limits",
    (size: number) =>
      writeLines(
        size,
        (index) => `type A${index}: A${index + 1}\n  + minLength = 1\n`,
        `type A${size}: string\n`,
      ),
  ],
  [
    "aliases of each other, with patterns",
    (size: number) =>
      writeLines(
        size,
        (index) =>
          `type A${index}: A${index + 1}\n  + pattern = ^a$\n  + maxLength = 1\n`,
        `type A${size}: string\n`,
      ),
  ],
  [
    "requests that share a chain of aliases with limits",
    (size: number) =>
      writeLines(
        size,
        (index) => `type A${index}: A${index + 1}\n  + maxItems = 1\n`,
        `type A${size}: []int64\nservice S\n${writeMethods(size)}`,
      ),
  ],
  [
    "silenced findings",
    (size: number) =>
      writeLines(
        size,
        (index) =>
          `service S${index}\n  #! ridl-ignore unbounded-list x\n  - M${index}(a: []string)\n`,
      ),
  ],
])("doubling the input of %s at most doubles the work", (_name, write) => {
  const single = stepsFor(write(300));
  const double = stepsFor(write(600));
  expect(single).toBeGreaterThan(300);
  expect(double).toBeLessThan(single * 2.2);
});

test("doubling a chain of aliases at most doubles the work of the plan", () => {
  const stepsOf = (length: number): number => {
    const aliases = Array.from({ length }, (_, index) =>
      alias(`A${index + 1}`, reference(`A${index}`)),
    );
    const chain = contract([alias("A0", scalar("uint64")), ...aliases], []);
    return countSteps(() => {
      planContract(chain, {
        ...{ int64: "bigint", timestamp: "date" },
        ...{ runtime: "import", importExtension: ".js" },
      });
    });
  };
  const single = stepsOf(300);
  const double = stepsOf(600);
  expect(single).toBeGreaterThan(300);
  expect(double).toBeLessThan(single * 2.2);
});

describe("cycles of a graph", () => {
  /** Finds cycles in edges such as `ab`. */
  const cyclesOf = (...edges: readonly string[]): string[] => {
    const edgesOf = (from: string) =>
      edges
        .filter((via) => via.startsWith(from))
        .map((via) => ({ from, to: via.charAt(1), via }));
    return walkGraph("abcd", edgesOf).cycles.map((cycle) =>
      cycle.map(({ via }) => via).join(" "),
    );
  };

  test.each([
    ["share a node", ["aa", "ab", "ba", "bb"], ["aa", "ab ba", "bb"]],
    ["do not touch", ["ab", "ba", "cd", "dc"], ["ab ba", "cd dc"]],
    [
      "follow each other",
      ["ab", "bc", "cb", "bd", "da"],
      ["bc cb", "ab bd da"],
    ],
  ])("are listed if they %s", (_, edges, cycles) => {
    expect(cyclesOf(...edges)).toEqual(cycles);
  });

  test("are listed once if they share an edge", () => {
    expect(cyclesOf("ab", "bc", "ca", "cd", "da", "db")).toEqual(["ab bc ca"]);
  });
});

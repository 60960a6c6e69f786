import { describe, expect, test } from "vitest";
import { scalarNames, scalars } from "../../generator/ir/scalars.js";
import type { TextRule } from "../../generator/ir/text-rule.js";
import {
  isBigintText,
  isTimestamp,
} from "../../runtime/typescript/values/validation.js";

/** The predicates that servers use. */
const predicates: Readonly<Record<string, (text: string) => boolean>> = {
  bigint: isBigintText,
  timestamp: isTimestamp,
};

const rules = scalarNames.flatMap((name): [string, TextRule][] => {
  const { text } = scalars[name];
  return text === null ? [] : [[name, text]];
});

describe.each(rules)("the texts of %s", (name, rule) => {
  const isValue = predicates[name] ?? expect.unreachable(name);
  const drawn = [0, 1, 2, 12_345, Number.MAX_SAFE_INTEGER].map(rule.draw);
  const texts = [...drawn, ...rule.samples, ...rule.faults, "", "x", "1\n"];

  test("are those that servers accept", () => {
    expect(texts.filter(rule.fits)).toEqual(texts.filter(isValue));
  });

  test("contain the samples and what is drawn, but no fault", () => {
    expect([...drawn, ...rule.samples].filter(isValue)).toHaveLength(
      drawn.length + rule.samples.length,
    );
    expect(rule.faults.filter(isValue)).toEqual([]);
    expect(new Set(drawn).size).toBe(drawn.length);
  });
});

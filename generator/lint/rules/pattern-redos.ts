import { locate } from "../../2-check/report/report.js";
import { findPatterns } from "../facts/patterns.js";
import type { Verdict } from "../pattern/judge-pattern.js";
import { judgePattern } from "../pattern/judge-pattern.js";
import type { LintRule } from "./rule.js";

/** So many steps take some hundredths of a second. */
const harmlessSteps = 5_000_000;
/** Expressions with counts such as `{1,63}` take about so many. */
const harmlessStepsPerCharacter = 256;

/** A few characters in a request must not keep a server busy for years. */
export const patternRedos: LintRule = {
  code: "pattern-redos",
  category: "security",
  severity: "error",
  find: (program) => {
    const known = new Map<string, Verdict>();
    return findPatterns(program).flatMap(({ value, document, maxLength }) => {
      const key = `${maxLength} ${value.text}`;
      const verdict = known.get(key) ?? judgePattern(value.text, maxLength);
      known.set(key, verdict);
      const words = explain(verdict);
      return words ? [{ location: locate(document, value), ...words }] : [];
    });
  },
};

interface Words {
  readonly message: string;
  readonly notes?: readonly string[];
  readonly help: string;
}

function explain(verdict: Verdict): Words | null {
  switch (verdict.kind) {
    case "fast":
      return null;
    case "unclear":
      return {
        message: "`pattern` is too large to tell how long it may take",
        help: "divide it, or write it more simply",
      };
    case "exponential":
      return {
        message: "`pattern` takes exponential time on some texts",
        notes: attack(verdict.repeated, "doubles the time"),
        help: "let every text have one way through what is repeated: `(a+)+` is `a+`, `(a|aa)+` too",
      };
    case "polynomial":
      if (verdict.steps <= harmlessSteps) return null;
      if (verdict.stepsPerCharacter <= harmlessStepsPerCharacter) return null;
      return {
        message: `\`pattern\` takes time that grows with ${nameOfPower(verdict.power)} of the length of a text`,
        notes: attack(verdict.repeated, "makes it slower still"),
        help: "anchor it with `^`, let its repeated parts take different characters, or limit the length by `maxLength`",
      };
  }
}

function nameOfPower(power: number): string {
  if (power === 2) return "the square";
  return power === 3 ? "the cube" : `power ${power}`;
}

function attack(repeated: string | null, effect: string): readonly string[] {
  return repeated === null
    ? []
    : [`each \`${repeated}\` more in a text that does not match ${effect}`];
}

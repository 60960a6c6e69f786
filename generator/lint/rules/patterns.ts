import { parsePattern } from "../../pattern/parse-pattern.js";
import {
  isAnchoredAtEnd,
  isAnchoredAtStart,
  longestMatch,
} from "../../pattern/pattern.js";
import {
  type PatternAnalysis,
  analyzePattern,
  isFast,
} from "../../pattern/time/analyze-pattern.js";
import type { LintRules } from "./rule.js";
import type { Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { findMetadata } from "../../2-check/notation/metadata.js";
import type { Program } from "../../2-check/program/program.js";
import { followType } from "../facts/type-places.js";

/** Rules about `+ pattern`. */
export const patternRules = {
  // A pattern can match anywhere, so without anchors, any text can surround the
  // match.
  "pattern-anchored": (program) =>
    findPatterns(program).flatMap(({ at, document }) => {
      const pattern = parsePattern(at.text);
      if (pattern === null) return [];
      const hasStart = isAnchoredAtStart(pattern);
      const hasEnd = isAnchoredAtEnd(pattern);
      if (hasStart && hasEnd) return [];
      const where = hasStart ? "after" : hasEnd ? "before" : "around";
      return {
        document,
        at,
        message: `\`pattern\` allows any text ${where} the match`,
        help: "anchor it with `^` and `$`, with all alternatives in parentheses: `^(a|b)$`",
      };
    }),

  "pattern-length": (program) =>
    findPatterns(program).flatMap(({ at, document, name, maxLength }) => {
      const pattern = parsePattern(at.text);
      const isLimited =
        pattern === null ||
        maxLength < Infinity ||
        longestMatch(pattern) < Infinity;
      if (isLimited) return [];
      return {
        document,
        at,
        message: `\`${name.text}\` has an unbounded pattern and no \`maxLength\``,
        help: "add `+ maxLength = …`",
      };
    }),

  // A few characters in a request must not keep a server busy for years.
  "pattern-redos": (program) => {
    const known = new Map<string, PatternAnalysis>();
    return findPatterns(program).flatMap(({ at, document, maxLength }) => {
      const key = `${maxLength} ${at.text}`;
      const verdict = known.get(key) ?? analyzePattern(at.text, maxLength);
      known.set(key, verdict);
      const words = explainVerdict(verdict);
      return words ? [{ document, at, ...words }] : [];
    });
  },
} satisfies LintRules;

interface FindingText {
  readonly message: string;
  readonly notes?: readonly string[];
  readonly help: string;
}

function explainVerdict(verdict: PatternAnalysis): FindingText | null {
  switch (verdict.kind) {
    case "fast":
      return null;
    case "unclear":
      return {
        message: "`pattern` is too large for an analysis of its running time",
        help: "split or simplify it",
      };
    case "many-paths":
      return {
        message: "`pattern` takes millions of steps on some strings",
        notes: ["nested counts can match a string in many ways"],
        help: "make sure that each part can match a string in only one way: replace `([a-z]{1,9} ?){1,9}` with `[a-z]{1,9}( [a-z]{1,9}){0,8}`",
      };
    case "exponential":
      return {
        message: "`pattern` takes exponential time on some strings",
        notes: describeAttack(verdict.repeated, "doubles the time"),
        help: "make sure that the repeated part can match each string in only one way: replace `(a+)+` and `(a|aa)+` with `a+`",
      };
    case "polynomial":
      if (isFast(verdict)) return null;
      return {
        message: `\`pattern\` takes time that grows with ${nameOfPower(verdict.power)} of a string's length`,
        notes: describeAttack(verdict.repeated, "makes it slower"),
        help: "anchor it with `^`, make its repeated parts match different characters, or limit the length with `maxLength`",
      };
  }
}

function nameOfPower(power: number): string {
  if (power === 2) return "the square";
  return power === 3 ? "the cube" : `the ${power}th power`;
}

function describeAttack(
  repeated: string | null,
  effect: string,
): readonly string[] {
  return repeated === null
    ? []
    : [
        `each additional \`${repeated}\` in a string that does not match ${effect}`,
      ];
}

interface PatternLine {
  readonly at: Word;
  readonly document: LoadedDocument;
  readonly name: Word;
  /** The smallest `maxLength` that applies, or `Infinity`. */
  readonly maxLength: number;
}

/** Returns every pattern of a program, with the maximum length of its input. */
function findPatterns(program: Program): readonly PatternLine[] {
  const { aliases, fields } = program.nodes;
  return [...aliases, ...fields].flatMap(({ syntax, document }) => {
    const at = findMetadata(syntax, "pattern")?.value;
    if (at === undefined) return [];
    const { limits } = followType(program, document, syntax).innermost;
    const maxLength = limits.get("maxLength") ?? Infinity;
    return [{ at, document, name: syntax.name, maxLength }];
  });
}

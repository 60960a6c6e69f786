import type { Completion } from "../model/results.js";
import { createCompletion } from "./create-completion.js";
import { completeErrors } from "./errors.js";
import type { CompletionScope } from "./line-context.js";
import {
  betweenArguments,
  spanBefore,
  type LineContext,
} from "./line-context.js";
import { completeDeclared, completeTypes } from "./types.js";

/**
 * Completes types, structs, errors and keywords of a method, depending on the
 * text before the cursor.
 */
export function completeMethod(
  line: LineContext,
  surroundings: CompletionScope,
): readonly Completion[] {
  const { before } = line;
  const [, listed] = /\)\s*errors\s+((?:\w+\s*\|\s*)*)\w*$/.exec(before) ?? [];
  if (listed !== undefined) {
    const taken = new Set(`${listed} ${line.after}`.split(/\W+/));
    const errors = completeErrors(line, surroundings);
    return errors.filter(({ label }) => !taken.has(label));
  }
  const open = before.lastIndexOf("(");
  const isInside = open > before.lastIndexOf(")");
  if (isInside) {
    if (/\(\w*$/.test(before))
      return completeDeclared(line, surroundings, true);
    const argument =
      before
        .slice(open + 1)
        .split(betweenArguments)
        .at(-1) ?? "";
    const isType = /:(?:.*[,<\]])?\s*\w*$/.test(argument);
    return isType ? completeTypes(line, surroundings) : [];
  }
  if (!/\)\s+[\w=]*$/.test(before)) return [];
  const hasOutput = before.includes("=>");
  const words = hasOutput ? ["errors"] : ["=>", "errors"];
  const span = spanBefore(line, /[\w=]*$/);
  return words.map((word, rank) =>
    createCompletion(word, "keyword", span, {
      text: word === "=>" ? "=> ($0)" : `${word} $0`,
      rank,
    }),
  );
}

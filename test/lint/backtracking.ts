import type { Pattern } from "../../generator/pattern/pattern.js";

/** Prints a pattern as a regular expression. */
export function printExpression(expression: Pattern): string {
  switch (expression.kind) {
    case "character":
      return expression.text;
    case "sequence":
      return `(?:${expression.items.map(printExpression).join("")})`;
    case "choice":
      return `(?:${expression.items.map(printExpression).join("|")})`;
    case "repetition": {
      const { item, min, max } = expression;
      const upper = max === Infinity ? "" : String(max);
      return `(?:${printExpression(item)}){${min},${upper}}`;
    }
    default:
      throw new Error("these tests do not generate lookarounds or boundaries");
  }
}

/**
 * Counts the steps, up to `limit`, that a backtracking engine needs to
 * determine that `^expression$` does not match a string. As in ECMAScript, an
 * optional repetition ends when it matches the empty string.
 */
export function countSteps(
  expression: Pattern,
  text: string,
  limit: number,
): number {
  let steps = 0;
  type Next = (offset: number) => boolean;
  const run = (node: Pattern, offset: number, next: Next): boolean => {
    if (++steps > limit) return false;
    switch (node.kind) {
      case "character":
        return text[offset] === node.text && next(offset + 1);
      case "sequence":
        return runAll(node.items, offset, next);
      case "choice":
        return node.items.some((item) => run(item, offset, next));
      case "repetition":
        return repeat(node, 0, offset, next);
      default:
        return false;
    }
  };
  const runAll = (
    items: readonly Pattern[],
    offset: number,
    next: Next,
  ): boolean => {
    const [first, ...rest] = items;
    if (first === undefined) return next(offset);
    return run(first, offset, (after) => runAll(rest, after, next));
  };
  const repeat = (
    node: Extract<Pattern, { kind: "repetition" }>,
    count: number,
    offset: number,
    next: Next,
  ): boolean => {
    const again = (after: number): boolean =>
      (after > offset || count < node.min) &&
      repeat(node, count + 1, after, next);
    if (count < node.max && run(node.item, offset, again)) return true;
    return count >= node.min && next(offset);
  };
  run(expression, 0, (offset) => offset === text.length);
  return Math.min(steps, limit);
}

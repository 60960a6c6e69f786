/**
 * The parts of a regular expression that determine its cost and the length of
 * its matches. Groups have no node of their own.
 */
export type Pattern =
  | {
      /** One character of a set. */
      readonly kind: "character";
      /** The part of the expression that represents it, e.g. `[0-9a-f]`. */
      readonly text: string;
    }
  | { readonly kind: "sequence"; readonly items: readonly Pattern[] }
  | { readonly kind: "choice"; readonly items: readonly Pattern[] }
  | {
      readonly kind: "repetition";
      readonly item: Pattern;
      readonly min: number;
      /** `Infinity` for `*`, `+` and counts such as `{1,}`. */
      readonly max: number;
    }
  | {
      /** `^`, `$`, `\b` or `\B`. */
      readonly kind: "boundary";
      readonly text: string;
    }
  | {
      /** A lookahead or lookbehind, which consumes nothing. */
      readonly kind: "look";
      readonly item: Pattern;
      /** Whether it is a lookbehind, which is matched from its end. */
      readonly isBehind: boolean;
    };

/** Matches the empty string. */
export const emptyPattern: Pattern = { kind: "sequence", items: [] };

/** Whether every match starts at the start of the text. */
export function isAnchoredAtStart(pattern: Pattern): boolean {
  return isAnchored(pattern, "^", (items) => items);
}

/** Whether every match ends at the end of the text. */
export function isAnchoredAtEnd(pattern: Pattern): boolean {
  return isAnchored(pattern, "$", (items) => items.toReversed());
}

function isAnchored(
  pattern: Pattern,
  anchor: string,
  inOrder: (items: readonly Pattern[]) => readonly Pattern[],
): boolean {
  switch (pattern.kind) {
    case "boundary":
      return pattern.text === anchor;
    case "choice":
      return pattern.items.every((item) => isAnchored(item, anchor, inOrder));
    case "repetition":
      return pattern.min > 0 && isAnchored(pattern.item, anchor, inOrder);
    case "sequence":
      for (const item of inOrder(pattern.items)) {
        if (isAnchored(item, anchor, inOrder)) return true;
        if (item.kind !== "look" && item.kind !== "boundary") return false;
      }
      return false;
    case "character":
    case "look":
      return false;
  }
}

/** Returns the length of the longest match in characters, or `Infinity`. */
export function longestMatch(pattern: Pattern): number {
  switch (pattern.kind) {
    case "character":
      return 1;
    case "sequence":
      return pattern.items.reduce((sum, item) => sum + longestMatch(item), 0);
    case "choice":
      return pattern.items.reduce(
        (most, item) => Math.max(most, longestMatch(item)),
        0,
      );
    case "repetition": {
      const once = longestMatch(pattern.item);
      return once === 0 ? 0 : once * pattern.max;
    }
    case "boundary":
    case "look":
      return 0;
  }
}

/** Returns the expression for reversed texts. */
export function reverse(pattern: Pattern): Pattern {
  switch (pattern.kind) {
    case "character":
    case "look":
      return pattern;
    case "sequence":
      return { ...pattern, items: pattern.items.toReversed().map(reverse) };
    case "choice":
      return { ...pattern, items: pattern.items.map(reverse) };
    case "repetition":
      return { ...pattern, item: reverse(pattern.item) };
    case "boundary": {
      const other = { "^": "$", $: "^" }[pattern.text] ?? pattern.text;
      return { ...pattern, text: other };
    }
  }
}

/**
 * Whether a repetition contains an alternative or another repetition, so that a
 * text can match in a number of ways that grows exponentially.
 */
export function isNested(pattern: Pattern, isRepeated = false): boolean {
  switch (pattern.kind) {
    case "character":
    case "boundary":
      return false;
    case "look":
      return isNested(pattern.item, isRepeated);
    case "sequence":
      return pattern.items.some((item) => isNested(item, isRepeated));
    case "choice":
      return isRepeated || pattern.items.some((item) => isNested(item));
    case "repetition":
      return isRepeated || isNested(pattern.item, pattern.max > 1);
  }
}

import type { Constraints } from "./contract.js";

/**
 * Returns the first and the last integer within all limits. If no integer is
 * within them, the first is larger than the last.
 */
export function integersWithin(
  [first, last]: readonly [bigint, bigint],
  limits: readonly Constraints[],
): readonly [bigint, bigint] {
  let [low, high] = [first, last];
  for (const { maximum, minimum } of limits) {
    const lower = minimum === undefined ? low : toBigint(minimum, Math.ceil);
    const upper = maximum === undefined ? high : toBigint(maximum, Math.floor);
    if (lower > low) low = lower;
    if (upper < high) high = upper;
  }
  return [low, high];
}

function toBigint(
  limit: number | bigint,
  round: (value: number) => number,
): bigint {
  return typeof limit === "bigint" ? limit : BigInt(round(limit));
}

/** Returns the minimum and maximum length within limits, in code points. */
export function lengthsOf(limits: readonly Constraints[]): {
  readonly min: number;
  readonly max: number;
} {
  return {
    min: Math.max(0, ...limits.map(({ minLength = 0 }) => minLength)),
    max: Math.min(...limits.map(({ maxLength = Infinity }) => maxLength)),
  };
}

/**
 * Returns a function that checks whether a string is within limits, as
 * validators do.
 */
export function textTest(
  limits: readonly Constraints[],
): (text: string) => boolean {
  const tests = limits.flatMap(({ pattern }) =>
    pattern === undefined ? [] : new RegExp(pattern, "u"),
  );
  const { max, min } = lengthsOf(limits);
  const hasUrl = limits.some(({ format }) => format === "uri");
  return (text) => {
    const { length } = Array.from(text);
    return (
      length >= min &&
      length <= max &&
      (!hasUrl || isUrl(text)) &&
      tests.every((pattern) => pattern.test(text))
    );
  };
}

/** Whether a string is an HTTP URL that parsers do not have to repair. */
function isUrl(text: string): boolean {
  if (!/^https?:\/\/(?![/?#])[^\s\\\u0000-\u001f\u007f]+$/iu.test(text))
    return false;
  try {
    // After optimization, `URL.canParse` of Node 20 rejects hosts such as
    // `é.example`.
    new URL(text);
    return true;
  } catch {
    return false;
  }
}

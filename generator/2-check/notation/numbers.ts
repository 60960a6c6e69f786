const INTEGER = /^[+-]?[0-9]+$/;
const DECIMAL = /^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/**
 * Parses a number. Integers beyond ±(2^53-1) become a `bigint`, so that they
 * are exact. Returns null for other text, and for decimals beyond the range of
 * a `number`.
 */
export function parseNumber(text: string): number | bigint | null {
  if (INTEGER.test(text)) {
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : BigInt(text.replace("+", ""));
  }
  if (!DECIMAL.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** Parses a count such as `maxItems`. Returns null for anything else. */
export function parseCount(text: string): number | null {
  const value = parseNumber(text);
  const isCount = Number.isSafeInteger(value) && Number(value) >= 0;
  return isCount ? Number(value) : null;
}

/** Parses `true` or `false`. Returns null for other text. */
export function parseFlag(text: string): boolean | null {
  if (text === "true") return true;
  return text === "false" ? false : null;
}

import type { NumberSet, WireValue } from "./value.js";

/**
 * Whether a type can represent all of these numbers. Floats are treated as
 * doubles, which round integers beyond ±(2^53-1).
 */
export function containsNumbers(wide: NumberSet, narrow: NumberSet): boolean {
  if (wide.isWhole && !narrow.isWhole) return false;
  const { minimum, maximum } =
    !wide.isWhole && narrow.isWhole
      ? {
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
        }
      : wide;
  return minimum <= narrow.minimum && narrow.maximum <= maximum;
}

/**
 * Whether one string value accepts every string that another can be. Limits of
 * strings and members of enums are compared separately.
 */
export function containsStrings(wide: WireValue, narrow: WireValue): boolean {
  if (wide.content === narrow.content) {
    const [all, some] = [wide.numbers, narrow.numbers];
    return !all || !some || containsNumbers(all, some);
  }
  if (wide.content !== "string") return false;
  if (narrow.content === "enum") {
    return narrow.texts.every((text) => fitsLimits(text, wide));
  }
  return wide.layers.every(({ constraints }) => {
    const { minLength = 0, maxLength, pattern, format } = constraints;
    return minLength <= 1 && !maxLength && !pattern && !format;
  });
}

/** Whether a string is within the limits of a value. */
export function fitsLimits(text: string, { layers }: WireValue): boolean {
  const { length } = [...text];
  return layers.every(
    ({
      constraints: { minLength = 0, maxLength = Infinity, pattern, format },
    }) =>
      minLength <= length &&
      length <= maxLength &&
      (pattern === undefined || new RegExp(pattern, "u").test(text)) &&
      (format === undefined || /^https?:\/\/[^\s\\/?#]/iu.test(text)),
  );
}

/**
 * Whether a path segment can represent a value, as far as this can be
 * determined.
 */
export function fitsSegment(text: string, value: WireValue): boolean {
  switch (value.content) {
    case "string":
      return fitsLimits(text, value);
    case "enum":
      return value.texts.includes(text);
    case "boolean":
      return text === "true" || text === "false";
    case "number":
    case "bigint":
      return /^-?[0-9]/u.test(text);
    case "timestamp":
      return /^[0-9]{4}-/u.test(text);
    case "any":
    case "array":
    case "bytes":
    case "file":
    case "map":
    case "null":
    case "object":
      return true;
  }
}

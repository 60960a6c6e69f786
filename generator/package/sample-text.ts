import { matchingTexts } from "../pattern/matching-texts.js";

/** What limits a text. */
export interface TextLimits {
  /** In Unicode code points, as the next. */
  readonly minLength: number;
  readonly maxLength: number;
  /** All of them have to match. */
  readonly patterns: readonly string[];
  /** Whether it has to be an http or https URL. */
  readonly isUrl: boolean;
}

/** Texts looked at before it is given up. */
const maxTries = 1_000;

/**
 * A text within limits.
 *
 * Input: `nth` tells texts apart that have to differ, from 0 on.
 * Output: null when none was found.
 */
export function sampleText(limits: TextLimits, nth = 0): string | null {
  const found = new Set<string>();
  let tries = 0;
  for (const candidate of candidates(limits)) {
    const text = lengthen(candidate, limits);
    if (fits(text, limits)) found.add(text);
    if (found.size > nth) return text;
    tries += 1;
    if (tries > maxTries) break;
  }
  return null;
}

/** Whether a text is within limits. */
export function fits(text: string, limits: TextLimits): boolean {
  const { isUrl, minLength, maxLength, patterns } = limits;
  const { length } = [...text];
  return (
    length >= minLength &&
    length <= maxLength &&
    patterns.every((pattern) => new RegExp(pattern, "u").test(text)) &&
    (!isUrl || (/^https?:/u.test(text) && URL.canParse(text)))
  );
}

function* candidates(limits: TextLimits): Generator<string, void, undefined> {
  const { isUrl, minLength, maxLength, patterns } = limits;
  for (const pattern of patterns) yield* matchingTexts(pattern, minLength);
  const start = isUrl ? "https://example.com/" : "text";
  yield start.slice(0, maxLength);
  for (let count = 2; ; count += 1) {
    const text = `${start}${count}`;
    // What tells them apart stands at the end.
    yield isUrl ? text : text.slice(-Math.max(maxLength, 1));
  }
}

/** Nobody reads an example that is longer. */
const maxLengthened = 10_000;

/** Goes on with the same, where more may follow. */
function lengthen(text: string, { minLength }: TextLimits): string {
  const { length } = [...text];
  if (minLength > maxLengthened || length >= minLength) return text;
  return text.padEnd(text.length + minLength - length, text || "text");
}

/** Represents sets of characters as bits, the nth character as bit n. */
export interface Alphabet {
  /** Returns the set of a part such as `[a-z]` or `\d`. */
  readonly setOf: (text: string) => bigint;
  /** Returns the characters of a set. Visible ASCII characters come first. */
  readonly examples: (set: bigint) => readonly string[];
}

/** Samples of the scripts and categories that `\p{L}` etc. distinguish. */
const others =
  "\u0085\u00a0¡²ªß×éĀſΩжאع٣कกァ漢\u200b\u2028℃Ⅷ①\ufb01🙂𝒜\u{10ffff}";

function codesOf(text: string): readonly number[] {
  return Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
}

/**
 * Characters that every alphabet contains. The first ones appear in examples
 * that users see.
 */
const defaultCharacters: ReadonlySet<number> = new Set([
  ...codesOf("0a"),
  ...Array.from({ length: 128 }, (_, code) => code),
  ...codesOf(others),
]);

/** More characters than any readable expression mentions. */
const maxLetters = 1_000;

/**
 * Creates the alphabet of an expression: ASCII, the characters that it
 * mentions, their neighbors, and samples of other kinds.
 */
export function createAlphabet(source: string): Alphabet {
  const letters = lettersOf(source);
  const known = new Map<string, bigint>();
  const setOf = (text: string): bigint => {
    const set = known.get(text) ?? measure(text, letters);
    known.set(text, set);
    return set;
  };
  const examples = (set: bigint): readonly string[] => {
    const all = letters.filter(
      (_, index) => ((set >> BigInt(index)) & 1n) === 1n,
    );
    return [...all.filter(isPlain), ...all.filter((each) => !isPlain(each))];
  };
  return { setOf, examples };
}

/** Whether a character is visible ASCII. */
export function isPlain(letter: string): boolean {
  return /^[!-~]$/u.test(letter);
}

function lettersOf(source: string): readonly string[] {
  const mentioned = codesOf(source);
  const escaped = [
    ...source.matchAll(/\\(?:u\{?|x)(?<code>[0-9a-fA-F]{2,6})/gu),
  ].map(({ groups }) => Number.parseInt(groups?.["code"] ?? "0", 16));
  const around = [...mentioned, ...escaped].flatMap((code) => [
    code - 1,
    code,
    code + 1,
  ]);
  return [...new Set([...defaultCharacters, ...around])]
    .filter((code) => code >= 0 && code <= 0x10ffff)
    .slice(0, maxLetters)
    .map((code) => String.fromCodePoint(code));
}

function measure(text: string, letters: readonly string[]): bigint {
  const one = new RegExp(`^(?:${text})$`, "u");
  let bits = "";
  for (const letter of letters) bits = (one.test(letter) ? "1" : "0") + bits;
  return BigInt(`0b${bits}`);
}

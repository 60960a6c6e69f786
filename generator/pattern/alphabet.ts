/** Sets of characters of one expression, as bits: bit n is its nth letter. */
export interface Alphabet {
  /** The set that a part such as `[a-z]` or `\d` stands for. */
  readonly setOf: (text: string) => bigint;
  /** Characters of a set; those that anybody can read come first. */
  readonly examples: (set: bigint) => readonly string[];
}

/** Of scripts and kinds that classes such as `\p{L}` tell apart. */
const others =
  "\u0085\u00a0¡²ªß×éĀſΩжאع٣कกァ漢\u200b\u2028℃Ⅷ①\ufb01🙂𝒜\u{10ffff}";

function codesOf(text: string): readonly number[] {
  return Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
}

/** Digits and letters first: they are shown to people. */
const everywhere: ReadonlySet<number> = new Set([
  ...codesOf("0a"),
  ...Array.from({ length: 128 }, (_, code) => code),
  ...codesOf(others),
]);

/** More characters than any expression mentions that people can read. */
const maxLetters = 1_000;

/**
 * The characters by which the sets of an expression can be told apart: ASCII,
 * every character that the expression mentions with its neighbours, and some
 * of each kind. The engine itself says which of them belong to a set.
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

/** Whether anybody can read it: ASCII, and to be seen. */
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
  return [...new Set([...everywhere, ...around])]
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

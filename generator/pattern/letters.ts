/** A character that stands for all that some sets do not distinguish. */
export interface Letter {
  readonly text: string;
  /** Whether each set contains the character, by the index of the set. */
  readonly isIn: readonly boolean[];
}

/** More tests than the sets of any readable expression need. */
const maxTests = 500_000;

/** Examples use these characters where they can. */
const readable = "a0bcxyz19AZ-_";

/** Outside of ASCII, sets such as `\s` and `.` change at these characters. */
const spaces = "\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/**
 * Returns one character for each way in which sets such as `[a-z]` or `\p{L}`
 * overlap. Ignores lone surrogates. Returns null if the sets are too large.
 */
export function distinguishLetters(
  sets: readonly string[],
): readonly Letter[] | null {
  const properties = sets.flatMap((set) => set.match(/\\p\{[^}]*\}/giu) ?? []);
  const mentioned = [...codesOf(spaces), ...sets.flatMap(mentionedCodes)];
  const codes = new Set([
    ...codesOf(readable),
    ...Array.from({ length: 128 }, (_, code) => code),
    ...mentioned.flatMap((code) => [code - 1, code, code + 1]),
    ...[...new Set(properties)].flatMap(edgesOf),
  ]);
  if (codes.size * sets.length > maxTests) return null;
  const tests = sets.map((set) => new RegExp(`^(?:${set})$`, "u"));
  const letters = new Map<string, Letter>();
  for (const code of codes) {
    if (!isCharacter(code)) continue;
    const text = String.fromCodePoint(code);
    const isIn = tests.map((set) => set.test(text));
    const key = isIn.map(Number).join("");
    if (!letters.has(key)) letters.set(key, { text, isIn });
  }
  return [...letters.values()];
}

function codesOf(text: string): readonly number[] {
  return Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
}

function isCharacter(code: number): boolean {
  return code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

const ESCAPE =
  /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\(?:u\{|u|x)([0-9a-f]+)/giu;

/** Returns the characters in the text of a set, and those that it escapes. */
function mentionedCodes(set: string): readonly number[] {
  const escaped = [...set.matchAll(ESCAPE)].flatMap(([, high, low, code]) => {
    const units = code === undefined ? [high, low] : [code];
    const numbers = units.map((unit) => Number.parseInt(unit ?? "", 16));
    return code === undefined
      ? codesOf(String.fromCharCode(...numbers))
      : numbers;
  });
  return [...codesOf(set), ...escaped];
}

const blockSize = 0x800;

/** Blocks of characters, without those that no property tells apart. */
const blocks = [...Array(0x110000 / blockSize).keys()]
  .map((index) => index * blockSize)
  .filter(isCharacter)
  .filter(
    (code) => code < 0x40000 || (code & 0xffff) === 0xf800 || code === 0xe0000,
  );

/**
 * Returns the characters at which the runs of a property begin and end. Above
 * U+3FFFF, planes only differ at their ends, and in one block of tags.
 */
function edgesOf(property: string): readonly number[] {
  const runs = new RegExp(`${property}+`, "gu");
  return blocks.flatMap((first) => {
    const codes = Array.from({ length: blockSize }, (_, at) => first + at);
    const width = first < 0x10000 ? 1 : 2;
    const found = [...String.fromCodePoint(...codes).matchAll(runs)];
    return [
      first,
      ...found.flatMap((run) => {
        const start = first + run.index / width;
        return [start, start + run[0].length / width];
      }),
    ];
  });
}

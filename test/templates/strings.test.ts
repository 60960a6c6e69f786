import { expect, test } from "vitest";
import { withoutInvisible } from "../../generator/4-emit/emitter/invisible.js";
import { readNameRules } from "../../generator/4-emit/templates/read-name-rules.js";
import { findHelper } from "../../generator/4-emit/templates/template-helpers.js";
import { isLong, isSample } from "../support/draw-some.js";

const read = (rules: unknown) =>
  readNameRules({ path: "names.json", text: JSON.stringify(rules) });

/** The first code points and one of every 64, or all in long tests. */
const step = isLong && !isSample ? 1 : 64;
const characters = [
  ...new Set([
    ...Array.from({ length: 0x2100 }, (_, code) => code),
    ...Array.from(
      { length: 0x11_00_00 / step },
      (_, at) => (at + 1) * step - 1,
    ),
  ]),
]
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

const languages = {
  JSON: {},
  Kotlin: { escapes: { $: "\\$" } },
  Rust: { unicode: "\\u{{}}", digits: 0 },
  Ruby: { escapes: { "#": "\\#" }, unicode: "\\u{{}}", digits: 0 },
  PHP: { escapes: { $: "\\$" }, unicode: "\\u{{}}", digits: 0 },
  C: { quote: '"', escapes: { "?": "\\?" }, unicode: "\\U{}", digits: 8 },
  SQL: { quote: "'", escapes: { "'": "''" } },
};

test.each(Object.entries(languages))(
  "prints every character in a string of %s",
  (_, strings) => {
    const { diagnostics, value } = read({ strings });
    expect(diagnostics).toEqual([]);
    const print = findHelper("string");
    const content = (text: string): string =>
      String(print?.run([text], value.strings)).slice(1, -1);
    const printed = characters.map(content);
    // What does not stand for itself begins with a character that never does.
    const starts = new Set<string>();
    printed.forEach((text, index) => {
      if (text !== characters[index]) starts.add(text.charAt(0));
    });
    expect(
      characters.filter(
        (letter) => starts.has(letter) && content(letter) === letter,
      ),
    ).toEqual([]);
    expect(new Set(printed).size).toBe(characters.length);
    expect(printed.filter((text) => withoutInvisible(text) !== text)).toEqual(
      [],
    );
    const { quote } = value.strings;
    expect(printed.filter((text) => text.includes(quote))).toEqual([
      value.strings.escapes[quote],
    ]);
    expect(content("a\u{1f468}\u200d")).toMatch(
      /^a\u{1f468}\\[uU]\{?(?:0000)?200d\}?$/u,
    );
  },
);

test.each([
  [[]],
  [{ quotes: '"' }],
  [{ quote: "x" }],
  [{ digits: 5 }],
  [{ unicode: "u{}" }],
  [{ unicode: "\\u" }],
  [{ escapes: { ab: "\\a" } }],
  [{ escapes: { a: "a" } }],
  [{ escapes: { a: "bc" } }],
  [{ escapes: { a: "\\n" } }],
  [{ escapes: { a: '\\"' } }],
  [{ escapes: { a: '\\a"' } }],
  [{ escapes: { a: "\\\n" } }],
  [{ escapes: { a: 1 } }],
])("refuses the rules of strings %j", (strings) => {
  const { diagnostics } = read({ strings });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^`strings` must /u),
  ]);
});

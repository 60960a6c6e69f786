/** The longest line of rustfmt, and its longest chain of calls on one line. */
const maxLine = 100;
const maxChain = 60;

const isComment = /^ *\/\//u;
/** The first arrow outside of string literals, which can also contain arrows. */
const armOfMatch = /^( +(?:[^"]|"(?:[^"\\]|\\.)*")*? => )(.*),$/u;

/**
 * Breaks the lines that templates print for functions, calls and arms of a
 * `match` where rustfmt does. Templates cannot do it, because they know no
 * lengths.
 */
export function layOutRust(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => layOutLine(line.trimEnd()))
    .join("\n");
}

function layOutLine(line: string): readonly string[] {
  if (isComment.test(line)) return [line];
  const isLong = lengthOf(line) > maxLine;
  const [, arm, value] = armOfMatch.exec(line) ?? [];
  const indent = /^ */u.exec(line)?.[0] ?? "";
  if (arm !== undefined && value !== undefined && isLong) {
    return [`${arm}{`, ...layOutLine(`${indent}    ${value}`), `${indent}}`];
  }
  const [, client, call] =
    /^ +(self\.0|client)(\.\w+\(.*\))\.await$/u.exec(line) ?? [];
  if (call !== undefined && lengthOf(line.trim()) > maxChain) {
    return [
      `${indent}${client}`,
      ...layOutLine(`${indent}    ${call}`),
      `${indent}    .await`,
    ];
  }
  const [, begin, given, end] =
    /^( +pub (?:async )?fn \w+\()(.*)(\) -> .*\{)$/u.exec(line) ??
    /^( +(?:self\.0|client)?\.\w+\()(.*)(\))$/u.exec(line) ??
    [];
  if (begin === undefined || given === undefined || end === undefined) {
    return [line];
  }
  const isWide = !begin.includes(" fn ") && lengthOf(given) > maxChain;
  if (!isLong && !isWide) return [line];
  return [
    begin,
    ...given.split(/, (?=[&\w])/u).map((each) => `${indent}    ${each},`),
    `${indent}${end}`,
  ];
}

/** The number of characters, as rustfmt counts them. */
function lengthOf(line: string): number {
  return Array.from(line).length;
}

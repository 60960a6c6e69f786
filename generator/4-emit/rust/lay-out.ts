/** The longest line of rustfmt, and its longest arguments of a call on one line. */
const maxLine = 100;
const maxArguments = 60;

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
  const isLong = lengthOf(line) > maxLine;
  const [, arm, value] = /^( +\S.* => )(.*),$/u.exec(line) ?? [];
  const indent = /^ */u.exec(line)?.[0] ?? "";
  if (arm !== undefined && value !== undefined && isLong) {
    return [`${arm}{`, ...layOutLine(`${indent}    ${value}`), `${indent}}`];
  }
  const [, begin, given, end] =
    /^( +pub (?:async )?fn \w+\()(.*)(\) -> .*\{)$/u.exec(line) ??
    /^( +self\.0\.\w+\()(.*)(\)(?:\.await)?)$/u.exec(line) ??
    [];
  if (begin === undefined || given === undefined || end === undefined) {
    return [line];
  }
  const isCall = begin.includes("self.0.");
  if (!isLong && !(isCall && lengthOf(given) > maxArguments)) return [line];
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

import type { Source, Span } from "../../source/source.js";
import type { Config } from "./config.js";
import { explainFaults, type Locate } from "./config-faults.js";
import { toConfig } from "./to-config.js";

/** `key: value`, or `key:` before a list. */
const entryLine = /^([A-Za-z]\w*):(?: +(\S.*?))? *$/u;
const itemLine = /^( *)- +(\S.*?) *$/u;
const emptyLine = /^(?: *|#.*)$/u;
/** Text without quotes that YAML reads as nothing but itself. */
const plainText = /^(?:[A-Za-z_]|\.{0,2}\/)[\w./*?@-]*$/u;
/** Words that it, or an older version of it, reads as something else. */
const otherThanText = /^(?:true|false|null|yes|no|on|off|y|n)$/iu;
const quotedText = /^(?:"([^"\\]*)"|'([^']*)')$/u;

/** Data of a file, and where each value stands, by keys with `/` between. */
interface PlainData {
  readonly data: Record<string, string | string[]>;
  readonly spans: Map<string, Span>;
}

/**
 * Reads the text of a configuration file that has only plain keys, texts and
 * lists of texts, as most have: without YAML, whose reader takes longer to load
 * than all that a run does in which nothing changed.
 *
 * Output: what `readConfig` would read; null for any other text, and for one
 * that has a fault.
 */
export function readPlainConfig(source: Source): Config | null {
  const plain = readPlainData(source.text);
  if (plain === null) return null;
  const locate: Locate = (path) => ({
    source,
    span: plain.spans.get(path.join("/")) ?? { start: 0, end: 0 },
  });
  const isFaulty = explainFaults(plain.data, locate).length > 0;
  return isFaulty ? null : toConfig(plain.data, locate);
}

function readPlainData(text: string): PlainData | null {
  const plain: PlainData = { data: {}, spans: new Map() };
  let list: string[] | null = null;
  let path = "";
  let pad: string | undefined;
  let start = 0;
  for (const line of text.split("\n")) {
    const [, key, value] = entryLine.exec(line) ?? [];
    const [, before, item] = itemLine.exec(line) ?? [];
    if (key !== undefined) {
      if (Object.hasOwn(plain.data, key)) return null;
      path = key;
      pad = undefined;
      list = value === undefined ? [] : null;
      const read = value === undefined ? list : readText(value);
      if (read === null) return null;
      plain.data[key] = read;
      note(plain, path, line, value, start);
    } else if (item !== undefined && list !== null) {
      pad ??= before;
      const read = readText(item);
      if (read === null || before !== pad) return null;
      note(plain, `${path}/${list.length}`, line, item, start);
      list.push(read);
    } else if (!emptyLine.test(line)) {
      return null;
    }
    start += line.length + 1;
  }
  // What has no value is null in YAML, and no list.
  const isFull = Object.values(plain.data).every(({ length }) => length > 0);
  return isFull ? plain : null;
}

/** Null for what is better left to YAML. */
function readText(written: string): string | null {
  const [, double, single] = quotedText.exec(written) ?? [];
  if (double !== undefined || single !== undefined) {
    return double ?? single ?? null;
  }
  const isPlain = plainText.test(written) && !otherThanText.test(written);
  return isPlain ? written : null;
}

function note(
  { spans }: PlainData,
  path: string,
  line: string,
  value: string | undefined,
  lineStart: number,
): void {
  if (value === undefined) return;
  const start = lineStart + line.lastIndexOf(value);
  spans.set(path, { start, end: start + value.length });
}

import { StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { classHighlighter } from "@lezer/highlight";

/** A word of the header, which begins a line. */
const headerWord = /^(?:webrpc|name|version|basepath)(?=[ \t]*=)/u;

/** Patterns of tokens, and their styles. */
const tokens: readonly (readonly [pattern: RegExp, style: string])[] = [
  [/^#.*/u, "comment"],
  [/^"(?:[^"\\]|\\.)*"?/u, "string"],
  [/^@[\w-]+/u, "keyword"],
  [/^\d[\w.]*/u, "number"],
  [
    /^(?:enum|error|errors|HTTP|import|map|service|stream|struct|type)\b(?!\??:)/u,
    "keyword",
  ],
];

/**
 * Colors everything that can be recognized without knowledge of the contract,
 * i.e. everything except names.
 */
const language = StreamLanguage.define({
  name: "ridl",
  token(stream) {
    if (stream.sol() && stream.match(headerWord)) return "keyword";
    const found = tokens.find(([pattern]) => stream.match(pattern));
    if (found === undefined && !stream.match(/^\w[\w.]*/u)) stream.next();
    return found?.[1] ?? null;
  },
});

/** Colors RIDL before the worker has responded. */
export const ridlLanguage: Extension = [
  language,
  syntaxHighlighting(classHighlighter),
];

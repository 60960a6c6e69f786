import { StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { classHighlighter } from "@lezer/highlight";

/** What a text begins with, and how it is colored. */
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

/** Colors what needs no knowledge of the contract: all but names. */
const language = StreamLanguage.define({
  name: "ridl",
  token(stream) {
    const found = tokens.find(([pattern]) => stream.match(pattern));
    if (found === undefined && stream.match(/^\w+/u) === null) stream.next();
    return found?.[1] ?? null;
  },
});

/** The colors of RIDL that come before the worker has answered. */
export const ridlLanguage: Extension = [
  language,
  syntaxHighlighting(classHighlighter),
];

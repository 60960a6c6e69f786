import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Span } from "../../source/source.js";
import { didYouMean } from "../report/did-you-mean.js";
import {
  originKinds,
  parseOrigins,
  splitOrigins,
} from "../notation/origins.js";
import { locate, reportWarning } from "../report/report.js";
import type { Rule } from "./rule.js";

/**
 * An `origin:` line says where a fact comes from in one of three words. A line
 * with another word stays what it is, a comment; where no document says such a
 * thing, only a mistyped word is worth a warning.
 */
export const unknownOrigin: Rule = ({ documents }) => {
  const isInUse = documents.some(({ syntax }) =>
    syntax.comments.some(({ text }) => parseOrigins(text) !== null),
  );
  return documents.flatMap((document) =>
    document.syntax.comments.flatMap(({ text, span }) =>
      findUnknownKinds(text).flatMap((word) => {
        const place = locate(document, {
          span: spanOfWord(document, span, word),
        });
        const suggestion = didYouMean(word, originKinds, place);
        if (!isInUse && suggestion.help === undefined) return [];
        return reportWarning(
          "unknown-origin",
          place,
          `\`${word}\` is no kind of origin`,
          {
            notes: [`an origin is one of ${originKinds.join(", ")}`],
            ...suggestion,
          },
        );
      }),
    ),
  );
};

function findUnknownKinds(line: string): readonly string[] {
  return (splitOrigins(line) ?? [])
    .map(([word]) => word)
    .filter((word) => !originKinds.some((kind) => kind === word));
}

/** The word itself within the comment. */
function spanOfWord(
  { syntax }: LoadedDocument,
  { start, end }: Span,
  word: string,
): Span {
  const found = syntax.source.text.slice(start, end).lastIndexOf(word);
  return found === -1
    ? { start, end }
    : { start: start + found, end: start + found + word.length };
}

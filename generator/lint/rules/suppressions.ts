import type { Comment } from "../../1-parse/ast.js";
import type { Span } from "../../source/source.js";
import { createSuggester } from "../../2-check/report/did-you-mean.js";
import { type Finding, locate } from "../../2-check/report/finding.js";
import { catalog } from "../../diagnostics/catalog.js";
import { type Suppression, readSuppressions } from "../facts/suppressions.js";
import type { LintRules } from "./rule.js";

/** Rules about comments that suppress findings. */
export const suppressionRules = {
  "suppression-reason": ({ documents }) =>
    readSuppressions(documents)
      .filter(({ code, reason }) => code !== "" && reason === "")
      .map(({ code, codeSpan, document }) => ({
        document,
        at: { span: codeSpan },
        message: `\`${code}\` is suppressed without a reason`,
        help: `add a reason: \`#! ridl-ignore ${code} …\``,
      })),

  // A comment without a known code suppresses nothing.
  "suppression-unknown": ({ documents }) => {
    const didYouMean = createSuggester();
    return readSuppressions(documents)
      .filter(({ code }) => !Object.hasOwn(catalog, code))
      .map((each) => ({
        ...reportUnknown(each),
        ...didYouMean(each.code, Object.keys(catalog)),
      }));
  },
} satisfies LintRules;

/**
 * Reports an unused comment, which would hide the next finding. Call it only
 * after all rules have been applied.
 */
export function reportUnused({
  code,
  codeSpan,
  comment,
  document,
}: Suppression): Finding {
  return {
    document,
    at: { span: codeSpan },
    message: `there is no \`${code}\` finding to suppress here`,
    help: "remove the comment",
    fix: {
      location: locate(document, {
        span: commentSpan(comment, document.syntax.source.text),
      }),
      replacement: "",
    },
  };
}

function reportUnknown({
  code,
  codeSpan,
  comment,
  document,
}: Suppression): Finding {
  const isEmpty = code === "";
  return {
    document,
    at: isEmpty ? comment : { span: codeSpan },
    message: isEmpty
      ? "`ridl-ignore` does not name a code"
      : `there is no diagnostic \`${code}\``,
    help: "write `#! ridl-ignore <code> <reason>`",
  };
}

/** Returns the span of a comment with its line or the space before it. */
function commentSpan({ span, isTrailing }: Comment, text: string): Span {
  let { start } = span;
  while (text[start - 1] === " " || text[start - 1] === "\t") start--;
  const isLastLine = text[span.end] === undefined;
  if (isTrailing || isLastLine) return { start, end: span.end };
  const lineEnd = text.indexOf("\n", span.end);
  return { start, end: lineEnd + 1 };
}

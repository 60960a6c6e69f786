import type { Comment } from "../../1-parse/ast.js";
import { locate } from "../../2-check/report/report.js";
import type { Span } from "../../source/source.js";
import type { Finding } from "../facts/finding.js";
import type { LintRule } from "./rule.js";
import type { Suppression } from "../facts/suppressions.js";

/** A rule about comments that silence nothing, which needs all findings. */
export interface UnusedRule extends Pick<LintRule, "code" | "category"> {
  readonly explain: (suppression: Suppression) => Finding;
}

/** A comment that silences nothing will hide the next finding of its place. */
export const suppressionUnused: UnusedRule = {
  code: "suppression-unused",
  category: "minimal",
  explain: ({ code, codeSpan, comment, document }) => ({
    location: locate(document, { span: codeSpan }),
    message: `there is no finding of \`${code}\` to silence here`,
    help: "remove the comment",
    fix: {
      location: locate(document, {
        span: wholeComment(comment, document.syntax.source.text),
      }),
      replacement: "",
    },
  }),
};

/** The comment with its line, or with the white space before it. */
function wholeComment({ span, isTrailing }: Comment, text: string): Span {
  let { start } = span;
  while (text[start - 1] === " " || text[start - 1] === "\t") start--;
  const isLastLine = text[span.end] === undefined;
  if (isTrailing || isLastLine) return { start, end: span.end };
  const lineEnd = text.indexOf("\n", span.end);
  return { start, end: lineEnd + 1 };
}

import { findDuplicates } from "../report/duplicates.js";
import { removeFix } from "../report/removal.js";
import { locate, relate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** A header is given once in a document. */
export const duplicateHeader: Rule = ({ nodes }) =>
  findDuplicates(
    nodes.headers,
    ({ syntax, document }) => `${syntax.key.text} ${document.path}`,
  ).map(({ first, again }) =>
    reportError(
      "duplicate-header",
      locate(again.document, again.syntax.key),
      `\`${again.syntax.key.text}\` is given twice`,
      {
        related: [relate(first.document, first.syntax.key, "first given here")],
        help: "keep one of them",
        ...(first.syntax.value.text === again.syntax.value.text &&
          removeFix(again.document, again.syntax.span)),
      },
    ),
  );

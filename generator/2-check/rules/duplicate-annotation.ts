import { findDuplicates } from "../report/duplicates.js";
import { removeFix } from "../report/removal.js";
import { locate, relate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** An annotation stands once on a declaration. */
export const duplicateAnnotation: Rule = ({ nodes }) =>
  nodes.annotationLists.flatMap(({ syntax, document }) =>
    findDuplicates(syntax, ({ name }) => name.text).map(({ first, again }) =>
      reportError(
        "duplicate-annotation",
        locate(document, again),
        `annotation \`@${again.name.text}\` is given twice`,
        {
          related: [relate(document, first, "first given here")],
          help: "keep one of them",
          // Which one counts is clear only if they say the same.
          ...(first.value?.text === again.value?.text &&
            removeFix(document, again.span)),
        },
      ),
    ),
  );

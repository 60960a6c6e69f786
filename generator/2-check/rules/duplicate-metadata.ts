import type { Metadata } from "../../1-parse/ast.js";
import { findDuplicates } from "../report/duplicates.js";
import { removeFix } from "../report/removal.js";
import { locate, relate, reportWarning } from "../report/report.js";
import type { Rule } from "./rule.js";

/** The last of several lines with one key counts; the others are lost. */
export const duplicateMetadata: Rule = ({ nodes }) =>
  [...nodes.fields, ...nodes.aliases].flatMap(({ syntax, document }) =>
    findDuplicates(syntax.metadata, keyOf).map(({ first, again }) =>
      reportWarning(
        "duplicate-metadata",
        locate(document, again.key),
        `\`${again.key.text}\` is given twice for \`${syntax.name.text}\``,
        {
          related: [relate(document, first.key, "this one has no effect")],
          help: "keep one of them",
          ...removeFix(document, first.span),
        },
      ),
    ),
  );

function keyOf({ key }: Metadata): string {
  return key.text;
}

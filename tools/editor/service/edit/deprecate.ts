import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import { lineStartAt } from "../../../../generator/source/line-index.js";
import type { Span } from "../../../../generator/source/source.js";
import type { CodeAction } from "../model/results.js";
import { isDeprecated } from "../../../../generator/2-check/notation/deprecation.js";
import { insertAbove } from "../model/document-edits.js";
import { innermostMember } from "./innermost-member.js";

/** Offers to mark the declaration whose name is at a span as deprecated. */
export function deprecate(
  document: LoadedDocument,
  span: Span,
): readonly CodeAction[] {
  const member = innermostMember(document, span.start);
  switch (member?.kind) {
    case undefined:
    case "enum-member":
    case "header":
    case "import":
      return [];
    case "alias":
    case "enum":
    case "error":
    case "field":
    case "method":
    case "service":
    case "struct": {
      const { start, end } = member.name.span;
      const isAtName = start <= span.end && span.start <= end;
      if (!isAtName || isDeprecated(member)) return [];
      // An annotation above the line would belong to the line's first member.
      const { text } = document.syntax.source;
      const at = member.span.start;
      if (text.slice(lineStartAt(text, at), at).trim() !== "") return [];
      return [
        {
          title: `deprecate \`${member.name.text}\``,
          kind: "rewrite",
          edits: [insertAbove(document, at, ["@deprecated"])],
          isPreferred: false,
        },
      ];
    }
  }
}

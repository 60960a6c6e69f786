import type { BreakingFinding } from "../../../breaking/index.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { CodeLens } from "../model/results.js";
import { lookUpMentions } from "../names/collect-mentions.js";
import { findReferences } from "../navigate/find-references.js";
import type { Workspace } from "../workspace/workspace.js";

/**
 * Lists how often each type and error is used, and the changes that break or
 * may break something.
 */
export function listLenses(
  workspace: Workspace,
  document: LoadedDocument,
  changes: readonly BreakingFinding[],
): readonly CodeLens[] {
  const uses = document.syntax.items.flatMap((syntax): readonly CodeLens[] => {
    switch (syntax.kind) {
      case "alias":
      case "enum":
      case "error":
      case "struct": {
        const places = findReferences(
          workspace,
          { syntax, document },
          lookUpMentions,
        )
          .filter(({ mention }) => mention.meaning.kind !== "declaration")
          .map(({ mention: { span }, document: { path } }) => ({ path, span }));
        const noun = places.length === 1 ? "reference" : "references";
        const title = `${places.length} ${noun}`;
        return [{ span: syntax.name.span, title, places }];
      }
      case "header":
      case "import":
      case "service":
        return [];
    }
  });
  const broken = changes.flatMap(({ location, message, worst }) => {
    const isHere = location?.source === document.syntax.source;
    if (!isHere || worst === undefined || worst.level === "note") return [];
    const verb = worst.level === "error" ? "breaks" : "may break";
    // Related locations are in the earlier version, which is not open.
    return { span: location.span, title: `${verb}: ${message}`, places: [] };
  });
  return [...uses, ...broken].sort((a, b) => a.span.start - b.span.start);
}

import { isDeprecated } from "../../../../generator/2-check/notation/deprecation.js";
import { printDocs } from "../hover/print-docs.js";
import type { Completion } from "../model/results.js";
import { createCompletion } from "./create-completion.js";
import { findImportable } from "./find-importable.js";
import type { CompletionScope } from "./line-context.js";
import {
  createNameMatcher,
  spanBefore,
  type LineContext,
} from "./line-context.js";

/**
 * Completes declared errors, including errors of documents that are not
 * imported yet.
 */
export function completeErrors(
  line: LineContext,
  surroundings: CompletionScope,
): readonly Completion[] {
  const span = spanBefore(line);
  const isMatch = createNameMatcher(line);
  return findImportable(line.document, surroundings, "errors", isMatch).map(
    ({ symbol: { syntax, document }, edits, rank }) =>
      createCompletion(syntax.name.text, "error", span, {
        detail: `error ${syntax.code.text} · ${document.path}`,
        docs: [syntax.message.text, printDocs(syntax)].join("\n\n").trim(),
        edits,
        rank,
        isDeprecated: isDeprecated(syntax),
      }),
  );
}

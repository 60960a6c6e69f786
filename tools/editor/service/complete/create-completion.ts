import type { Span } from "../../../../generator/source/source.js";
import type { Completion, CompletionKind } from "../model/results.js";

/** Creates a completion with defaults. `span` is the text that it replaces. */
export function createCompletion(
  label: string,
  kind: CompletionKind,
  span: Span,
  more: Partial<Completion> = {},
): Completion {
  return {
    label,
    kind,
    docs: "",
    span,
    text: label,
    edits: [],
    rank: 0,
    isDeprecated: false,
    ...more,
  };
}

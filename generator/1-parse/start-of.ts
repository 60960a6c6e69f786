import type { Span } from "../source/source.js";

/** Returns the start of a node, including its annotations. */
export function startOf({
  annotations = [],
  span,
}: {
  readonly annotations?: readonly { readonly span: Span }[];
  readonly span: Span;
}): number {
  return (annotations[0]?.span ?? span).start;
}

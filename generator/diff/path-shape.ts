import type { PathTemplate } from "../ir/contract.js";

/** A path without what its parameters are called, which clients do not see. */
export function shapeOf({ segments }: PathTemplate): string {
  return segments
    .map((segment) => (segment.kind === "literal" ? segment.text : "{}"))
    .join("/");
}

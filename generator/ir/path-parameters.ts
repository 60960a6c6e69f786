import type { PathTemplate } from "./contract.js";

/** Returns the names of a path's parameters, in order. */
export function pathParameters({ segments }: PathTemplate): readonly string[] {
  return segments.flatMap((segment) =>
    segment.kind === "parameter" ? segment.name : [],
  );
}

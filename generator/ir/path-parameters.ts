import type { PathTemplate } from "./contract.js";

/** Returns the names of a path's parameters, in order. */
export function pathParameters({ segments }: PathTemplate): readonly string[] {
  return segments.flatMap((segment) =>
    segment.kind === "parameter" ? segment.name : [],
  );
}

/** Returns the names of the placeholders in a path or an address. */
export function parametersIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/\{([^{}]*)\}/gu), ([, name = ""]) => name);
}

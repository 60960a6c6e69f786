import type { PathTemplate } from "../../ir/contract.js";

/**
 * Returns a path without the names of its parameters, which clients do not see.
 */
export function shapeOf({ segments }: PathTemplate): string {
  return segments
    .map((segment) => (segment.kind === "literal" ? segment.text : "{}"))
    .join("/");
}

/** Returns the names of a path's parameters, in order. */
export function parametersOf({ segments }: PathTemplate): readonly string[] {
  return segments.flatMap((segment) =>
    segment.kind === "parameter" ? segment.name : [],
  );
}

/**
 * Whether the parameters of both paths have the same positions. Their names can
 * differ.
 */
export function haveSamePlaces(
  before: PathTemplate,
  after: PathTemplate,
): boolean {
  const [then, now] = [parametersOf(before), parametersOf(after)];
  return (
    shapeOf(before) === shapeOf(after) &&
    then.every((name, place) => !now.includes(name) || now[place] === name)
  );
}

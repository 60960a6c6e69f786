import { pathParameters } from "../../ir/path-parameters.js";
import type { PathTemplate } from "../../ir/contract.js";

/** Returns a path without the names of its parameters. */
export function shapeOf({ segments }: PathTemplate): string {
  return segments
    .map((segment) => (segment.kind === "literal" ? segment.text : "{}"))
    .join("/");
}

/**
 * Whether two paths have the same literals and parameters at the same
 * positions.
 */
export function haveSamePlaces(
  before: PathTemplate,
  after: PathTemplate,
): boolean {
  const [then, now] = [pathParameters(before), pathParameters(after)];
  return (
    shapeOf(before) === shapeOf(after) &&
    then.every((name, place) => !now.includes(name) || now[place] === name)
  );
}

import type { PathTemplate } from "../../ir/contract.js";

/** A path without what its parameters are called, which clients do not see. */
export function shapeOf({ segments }: PathTemplate): string {
  return segments
    .map((segment) => (segment.kind === "literal" ? segment.text : "{}"))
    .join("/");
}

/** Names of the parameters of a path, in its order. */
export function parametersOf({ segments }: PathTemplate): readonly string[] {
  return segments.flatMap((segment) =>
    segment.kind === "parameter" ? segment.name : [],
  );
}

/**
 * Whether parameters of both paths stand in the same places: they may have other
 * names, but none of them has moved.
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

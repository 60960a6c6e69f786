import {
  type PathTemplate,
  pathParameters,
  shapeOf,
} from "../../../../generator/ir/path-template.js";

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

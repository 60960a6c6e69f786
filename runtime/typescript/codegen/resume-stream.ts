import { memberOf } from "../values/member.js";

/**
 * Returns a function that continues a lost stream (`@resume`): it puts the cursor
 * of the last item in the request. Without an item, the request stays as it is.
 *
 * Input: the field of requests with the cursor, and the path to it in items, e.g.
 * `resumeAfter("after", "message", "id")`.
 */
export function resumeAfter(
  field: string,
  ...path: readonly string[]
): <Request>(request: Request, last: unknown) => Request {
  return (request, last) =>
    last === undefined
      ? request
      : { ...request, [field]: path.reduce(memberOf, last) };
}

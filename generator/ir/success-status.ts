import { isBodiless } from "./bodiless.js";
import type { Field, Method } from "./contract.js";

/** A status of a success, and the body of a response with it. */
export interface Success {
  readonly status: number;
  /**
   * `message`: the whole response, or the output in `@body`. `none`: no body. A
   * field: this output.
   */
  readonly body: "message" | "none" | Field;
}

/** Returns the statuses of a method's successes: 200 unless `@http` has others. */
export function successesOf({
  response,
  route,
}: Method): readonly [Success, ...Success[]] {
  if (route.kind !== "rest") return [{ status: 200, body: "message" }];
  const { status, statuses } = route;
  const [first, ...others] = statuses.map((each): Success => {
    const field = response.fields.find(
      ({ jsonName }) => jsonName === each.body,
    );
    return { status: each.status, body: field ?? "none" };
  });
  if (first !== undefined) return [first, ...others];
  return [{ status, body: isBodiless(status) ? "none" : "message" }];
}

/** Returns the success with a status, or null if the status is not one. */
export function successWith(method: Method, status: number): Success | null {
  return successesOf(method).find((each) => each.status === status) ?? null;
}

import { memberOf } from "../../values/member.js";
import type { RestRoute, ServerMethod } from "../model/server-method.js";
import { InvalidResponseError } from "./response-message.js";

/** The status of a response, and the field that is its body. */
export interface Success {
  readonly status: number;
  /** Null if there is no body. */
  readonly body: string | null;
}

/**
 * Returns the status that fits a response, or null if the method has only one.
 *
 * Input: the response in its wire form. Errors: `InvalidResponseError` if no
 * status fits.
 */
export function successOf(
  method: ServerMethod,
  message: unknown,
): Success | null {
  const { route } = method;
  if (route.kind !== "rest" || route.statuses === undefined) return null;
  const { statusField, statuses } = route;
  const all = Object.entries(statuses).map(([status, body]) => ({
    status: Number(status),
    body,
  }));
  const fields = [...new Set(Object.values(statuses))];
  // Null means an absent field, unless the field is the body of every status.
  const present = fields.filter(
    (field) => field !== null && (memberOf(message, field) ?? null) !== null,
  );
  const fitting = all.filter(
    ({ body, status }) =>
      (fields.length === 1 || present.join() === (body ?? "")) &&
      (statusField === undefined || memberOf(message, statusField) === status),
  );
  const [success] = fitting;
  if (success !== undefined) return success;
  throw new InvalidResponseError(method, [], describe(route, statuses));
}

function describe(
  { statusField }: RestRoute,
  statuses: Readonly<Record<number, string | null>>,
): string {
  const choices = Object.entries(statuses).map(([status, body]) =>
    [
      ...(statusField === undefined ? [] : [`${statusField} ${status}`]),
      body ?? (statusField === undefined ? "nothing" : "no body"),
    ].join(" and "),
  );
  return `its fields fit no status: expected ${choices.join(", or ")}`;
}

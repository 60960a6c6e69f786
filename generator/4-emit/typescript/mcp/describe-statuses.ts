import type { Route } from "../../../ir/contract.js";
import { quoteCode } from "../../json-schema/describe.js";

/**
 * Tells agents which output belongs to which status of a success. Returns "" if
 * a method has one status.
 */
export function describeStatuses(route: Route): string {
  if (route.kind !== "rest" || route.statuses.length < 2) return "";
  const byBody = new Map<string | null, number[]>();
  for (const { body, status } of route.statuses) {
    byBody.set(body, [...(byBody.get(body) ?? []), status]);
  }
  const outputs = [...byBody].map(([body, statuses]) => {
    const what = body === null ? "nothing" : quoteCode(body);
    return `${what} with the status ${statuses.join(" or ")}`;
  });
  const { statusOutput } = route;
  return [
    `Returns ${outputs.join(", or ")}.`,
    ...(statusOutput === null
      ? []
      : [`${quoteCode(statusOutput)} is the status.`]),
  ].join(" ");
}

import { groupBy } from "../../../ir/group-by.js";
import type { WireResponse } from "../../../wire/wire-method.js";
import { quoteCode } from "../../json-schema/describe.js";

/**
 * Tells agents which output belongs to which status of a success. Returns "" if
 * a method has one status.
 */
export function describeStatuses({ byStatus, status }: WireResponse): string {
  if (byStatus.length < 2) return "";
  const byBody = groupBy(byStatus, ({ body }) => body);
  const outputs = [...byBody].map(([body, all]) => {
    const what = body === null ? "nothing" : quoteCode(body.jsonName);
    const statuses = all.map((each) => each.status);
    return `${what} with the status ${statuses.join(" or ")}`;
  });
  return [
    `Returns ${outputs.join(", or ")}.`,
    ...(status === null
      ? []
      : [`${quoteCode(status.jsonName)} is the status.`]),
  ].join(" ");
}

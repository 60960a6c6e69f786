import { isBodiless } from "../ir/bodiless.js";
import type { Field, Method } from "../ir/contract.js";
import type { RestRoute } from "../ir/rest-route.js";
import { headerSlots, slotOf } from "./request.js";
import type { FieldSlot, ResponseSlot } from "./slots.js";
import type { StatusBody, Success, WireResponse } from "./wire-method.js";

/** Returns where a success sends each output, and its statuses. */
export function readResponse({ response, route }: Method): WireResponse {
  const { fields, isStream } = response;
  if (route.kind !== "rest") {
    return {
      slots: fields.map((field) => ({ place: "member", ...plain(field) })),
      successes: [{ status: 200, body: "message" }],
      byStatus: [],
      status: null,
      members: fields,
      whole: null,
      wholes: [],
      stream: isStream ? "lines" : null,
      isIgnored: false,
    };
  }
  const find = (name: string | null): Field | null =>
    fields.find(({ jsonName }) => jsonName === name) ?? null;
  const byStatus = route.statuses.map((each) => ({
    status: each.status,
    body: find(each.body),
  }));
  const status = find(route.statusOutput);
  const whole = find(route.body);
  const headers = headerSlots(route.responseHeaders, fields);
  const bodies = [whole, ...byStatus.map(({ body }) => body)];
  const wholes = new Set(bodies.filter((body) => body !== null));
  const isElsewhere = headers.length > 0 || byStatus.length > 0;
  const members = isElsewhere || whole !== null ? [] : fields;
  const slots: readonly ResponseSlot[] = [
    ...(status === null
      ? []
      : [{ place: "status" as const, ...plain(status) }]),
    ...headers,
    ...fields.flatMap((field): readonly ResponseSlot[] => {
      if (wholes.has(field)) return [{ place: "whole", ...plain(field) }];
      return members.includes(field)
        ? [{ place: "member", ...plain(field) }]
        : [];
    }),
  ];
  return {
    slots,
    successes: successesOf(route, byStatus),
    byStatus,
    status,
    members,
    whole,
    wholes: [...wholes],
    stream: isStream ? "events" : null,
    isIgnored: fields.length === headers.length,
  };
}

function plain(field: Field): FieldSlot {
  return slotOf(field.jsonName, field, "array", "invalid");
}

/** Returns the statuses of successes: 200 unless `@http` has others. */
function successesOf(
  { status }: RestRoute,
  byStatus: readonly StatusBody[],
): WireResponse["successes"] {
  const [first, ...others] = byStatus.map((each): Success => ({
    status: each.status,
    body: each.body ?? "none",
  }));
  if (first !== undefined) return [first, ...others];
  return [{ status, body: isBodiless(status) ? "none" : "message" }];
}

/** Returns the success with a status, or null if the status is not one. */
export function successWith(
  { successes }: Pick<WireResponse, "successes">,
  status: number,
): Success | null {
  return successes.find((each) => each.status === status) ?? null;
}

/** Returns the fields of an error's data that are in headers. */
export function errorHeaders(
  fields: readonly Field[],
): readonly ({ readonly place: "header" } & FieldSlot)[] {
  return headerSlots(
    fields.flatMap(({ header, jsonName }) =>
      header === null ? [] : { name: header, field: jsonName },
    ),
    fields,
  );
}

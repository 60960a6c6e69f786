import { isBodiless } from "../ir/bodiless.js";
import type { Field, Method, Route, Service, Verb } from "../ir/contract.js";
import {
  type PathTemplate,
  parsePathTemplate,
  shapeOf,
} from "../ir/path-template.js";
import { rememberEach } from "../ir/remember.js";
import type { RestRoute } from "../ir/rest-route.js";
import { headerSlots, readRequest, slotOf } from "./request.js";
import type { FieldSlot, ResponseSlot } from "./slots.js";
import type {
  StatusBody,
  Success,
  WireAddress,
  WireMethod,
  WireResponse,
} from "./wire-method.js";

/** Returns what a method is on the wire. */
export const wireOf = rememberEach((method: Method): WireMethod => ({
  address: addressOf(method.route),
  request: readRequest(method),
  response: readResponse(method),
}));

/**
 * Returns whether calls of a service of webhooks name their method, in the header
 * `webhook-event`. Receivers know the only method of a service.
 */
export function namesEvents({ methods }: Service): boolean {
  return methods.length !== 1;
}

/** Returns the address of a route, or null if the receiver chooses it. */
function addressOf(route: Route): WireAddress | null {
  switch (route.kind) {
    case "rpc":
      return describe("POST", parsePathTemplate(route.path), route.path);
    case "rest":
      return describe(route.verb, route.path, targetOf(route));
    case "webhook":
      return null;
  }
}

function describe(
  verb: Verb,
  template: PathTemplate,
  target: string,
): WireAddress {
  const shape = shapeOf(template);
  const path = encodePath(template.text);
  return { verb, template, shape, key: `${verb} ${shape}`, path, target };
}

function targetOf({ path, query }: RestRoute): string {
  const parts = query.map((each) => {
    if (each.kind === "fixed") return `${each.name}=${each.value}`;
    if (each.isJoined) return `${each.name}={${each.field},}`;
    return each.name === each.field
      ? each.name
      : `${each.name}={${each.field}}`;
  });
  return parts.length > 0 ? `${path.text}?${parts.join("&")}` : path.text;
}

function encodePath(path: string): string {
  if (/^[\w/.-]*$/u.test(path)) return path;
  return path
    .split(/(\{\w+\})/u)
    .map((part, index) => (index % 2 === 1 ? part : encodeText(part)))
    .join("");
}

/**
 * Percent-encodes text of a path, so that client and server use the same path.
 * Keeps escapes such as `%20`.
 */
function encodeText(text: string): string {
  return encodeURI(text.replace(/\p{Surrogate}/gu, "\ufffd"))
    .replace(/%25(?=[0-9a-f]{2})/giu, "%")
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23");
}

/** Returns where a success sends each output, and its statuses. */
function readResponse({ response, route }: Method): WireResponse {
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
  { status, verb }: RestRoute,
  byStatus: readonly StatusBody[],
): WireResponse["successes"] {
  const [first, ...others] = byStatus.map((each): Success => ({
    status: each.status,
    body: each.body ?? "none",
  }));
  if (first !== undefined) return [first, ...others];
  const isEmpty = isBodiless(status) || verb === "HEAD";
  return [{ status, body: isEmpty ? "none" : "message" }];
}

/** Returns the success with a status, or null if the status is not one. */
export function successWith(
  { successes }: Pick<WireResponse, "successes">,
  status: number,
): Success | null {
  return successes.find((each) => each.status === status) ?? null;
}

/**
 * Whether a status means success, also where the method has another. Clients take
 * redirects, which they never follow, for failures.
 */
export function isSuccess(status: number): boolean {
  return status < 300;
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

import type {
  BodyForm,
  BodyFormat,
  Field,
  HeaderField,
  Method,
  RequestBody,
} from "../ir/contract.js";
import { invariant } from "../ir/invariant.js";
import { pathParameters } from "../ir/path-template.js";
import type { RestRoute } from "../ir/rest-route.js";
import type { FieldSlot, ListForm, RequestSlot } from "./slots.js";
import type { BodyContent, WireBody, WireRequest } from "./wire-method.js";

/** Returns where a call sends each field of its request. */
export function readRequest(method: Method): WireRequest {
  const { request, route } = method;
  const { fields } = request;
  const isRest = route.kind === "rest";
  const body = isRest
    ? bodyOf(route.requestBody, fields)
    : objectOf(fields, usual);
  const inHead = isRest ? slotsInHead(route, fields) : [];
  const isPathRead =
    isRest &&
    route.verb === "GET" &&
    inHead.every(({ place }) => place === "path");
  const slots = [...inHead, ...slotsInBody(body)];
  return { slots, body, isPathRead, accept: acceptOf(method) };
}

/** Whether a field is a `file` or a list of files. */
export function isFileField({ type }: Pick<Field, "type">): boolean {
  const inner = type.kind === "list" ? type.element : type;
  return inner.kind === "scalar" && inner.name === "file";
}

function bodyOf(body: RequestBody, fields: readonly Field[]): WireBody {
  switch (body.kind) {
    case "none":
      return { ...factsOf([], usual), kind: "none", whole: null };
    case "fields":
      return objectOf(
        fields.filter(({ jsonName }) => body.fields.includes(jsonName)),
        body,
      );
    case "field": {
      const whole = fields.find(isNamed(body.field));
      invariant(whole !== undefined, "a checked contract has the field");
      const facts = factsOf([whole], body);
      return { ...facts, kind: "whole", whole, hasParts: false };
    }
  }
}

const usual: BodyForm = { format: "json", mediaType: null };

function objectOf(fields: readonly Field[], form: BodyForm): WireBody {
  return { ...factsOf(fields, form), kind: "object", whole: null };
}

function factsOf(
  fields: readonly Field[],
  form: BodyForm,
): Omit<WireBody, "kind" | "whole"> {
  const { content, mediaType } = bodyFormats[form.format];
  const statedMediaType = form.mediaType ?? mediaType;
  return {
    fields,
    content,
    mediaType: statedMediaType ?? usualMediaTypes[content.kind],
    statedMediaType,
    hasParts: fields.some(isFileField),
    isOptional: fields.every(({ isOptional }) => isOptional),
  };
}

/** Returns what is in the path, the query and headers. */
function slotsInHead(
  { headers, path, query }: RestRoute,
  fields: readonly Field[],
): readonly RequestSlot[] {
  return [
    ...pathParameters(path).flatMap((name) =>
      fields.filter(isNamed(name)).map((field) => ({
        place: "path" as const,
        ...slotOf(name, field, "joined", "invalid"),
      })),
    ),
    ...query.flatMap((each): readonly RequestSlot[] => {
      const { kind, name } = each;
      if (kind === "fixed") return [{ place: kind, name, value: each.value }];
      const list = each.isJoined ? "joined" : "repeated";
      return fields
        .filter(isNamed(each.field))
        .map((field) => ({ place: "query", ...slotOf(name, field, list) }));
    }),
    ...headerSlots(headers, fields),
  ];
}

/** Returns the fields in headers. Commas separate the items of a list. */
export function headerSlots(
  headers: readonly HeaderField[],
  fields: readonly Field[],
): readonly ({ readonly place: "header" } & FieldSlot)[] {
  return headers.flatMap(({ field: key, name }) =>
    fields
      .filter(isNamed(key))
      .map((field) => ({ place: "header", ...slotOf(name, field, "joined") })),
  );
}

function slotsInBody({
  content,
  fields,
  hasParts,
  kind,
}: WireBody): readonly RequestSlot[] {
  const list = content.kind === "form" ? content.list : "array";
  return fields.map((field): RequestSlot => {
    const { jsonName, type } = field;
    const slot = slotOf(jsonName, field, list, "invalid");
    if (kind === "whole") return { place: "whole", ...slot };
    if (!hasParts || !isFileField(field)) return { place: "member", ...slot };
    const mark = type.kind === "list" ? listMarkOf(content) : "";
    return { place: "part", ...slot, name: jsonName + mark, list: "repeated" };
  });
}

/** Describes a place. Input: what it means that there is nothing. */
export function slotOf(
  name: string,
  field: Field,
  list: ListForm,
  without: "empty" | "invalid" = "empty",
): FieldSlot {
  return { name, field, list, absent: field.isOptional ? "omitted" : without };
}

/** Tests whether a field has a JSON name. */
function isNamed(name: string): (field: Field) => boolean {
  return ({ jsonName }) => jsonName === name;
}

/**
 * Returns the header `Accept` of requests to a method, or null. Other types than JSON
 * are not excluded, because a contract does not name types such as
 * `application/hal+json`, nor that of a file.
 */
function acceptOf({ response, route }: Method): string | null {
  if (route.kind !== "rest" || response.fields.some(isFileField)) return null;
  return response.isStream
    ? "text/event-stream"
    : "application/json, */*;q=0.1";
}

/** What a format of request bodies means. */
interface BodyFormatFacts {
  readonly content: BodyContent;
  /** The media type, or null if it is the usual one of the content. */
  readonly mediaType: string | null;
}

/** The only list of the formats of request bodies. */
const bodyFormats: Readonly<Record<BodyFormat, BodyFormatFacts>> = {
  json: { content: { kind: "json" }, mediaType: null },
  file: { content: { kind: "file" }, mediaType: null },
  form: { content: { kind: "form", list: "repeated" }, mediaType: null },
  "bracket-form": {
    content: { kind: "form", list: "bracketed" },
    mediaType: null,
  },
};

const usualMediaTypes: Readonly<Record<BodyContent["kind"], string>> = {
  json: "application/json",
  file: "application/octet-stream",
  form: "application/x-www-form-urlencoded",
};

/** Returns what follows the names of lists in a form with such content. */
export function listMarkOf(content: BodyContent): "" | "[]" {
  return content.kind === "form" && content.list === "bracketed" ? "[]" : "";
}

/**
 * The pattern of idempotency keys on the wire, which are strings of RFC 9651.
 * Escaped characters count as one.
 */
export const keyPattern = '^"([ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"$';

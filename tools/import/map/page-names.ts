import type { ModelField } from "../model/model.js";
import type { NameScope } from "../model/names.js";
import type { MappedParameter } from "./parameters.js";
import type { MappedResponse } from "./responses.js";
import { stringsOf } from "./types/strings.js";
import type { Types } from "./types/types.js";

/** What a method sends and receives. */
interface Messages {
  readonly parameters: readonly MappedParameter[];
  readonly response: MappedResponse;
}

/**
 * Names a parameter of the query, or a header of the response, so that the method
 * returns pages: `pageToken` for `page_token` if the body has `nextPageToken`, and
 * `nextCursor` for the header `X-Next-Cursor` if the query has `cursor`. Their own
 * names are part of the address.
 */
export function namePages(
  { parameters, response }: Messages,
  names: NameScope,
  types: Types,
): Messages {
  const asked = parameters.filter(
    ({ field, place }) =>
      place === "query" && field.isOptional && isText(field, types),
  );
  const members = membersOf(response, types).filter((field) =>
    isNextToken(field, types),
  );
  for (const parameter of asked) {
    const { field, name } = parameter;
    const next = `next${fold(name)}`;
    const member = members.find(({ wire }) => fold(wire) === next);
    const wished = member && tokenOf(member.wire);
    if (wished === undefined || wished === null) continue;
    if (wished === field.name) return { parameters, response };
    if (names.has(wished) && !isSame(wished, field.name)) continue;
    const renamed = { ...field, name: wished };
    if (!isSame(wished, field.name)) names.take(wished);
    const index = parameters.indexOf(parameter);
    const changed = { ...parameter, field: renamed };
    return { parameters: parameters.with(index, changed), response };
  }
  const { headers } = response;
  for (const { field, name } of asked) {
    const next = `next${fold(name)}`;
    const header = headers.find((each) => fold(each.name) === next);
    if (header === undefined || !isNextToken(header.field, types)) continue;
    const renamed = { ...header.field, name: nextOf(field.name) };
    const index = headers.indexOf(header);
    const changed = headers.with(index, { ...header, field: renamed });
    return { parameters, response: { ...response, headers: changed } };
  }
  return { parameters, response };
}

/** Returns the fields of a response that is one struct. */
function membersOf(
  { body, headers, statuses }: MappedResponse,
  types: Types,
): readonly ModelField[] {
  const isWhole = headers.length === 0 && statuses.length < 2;
  if (!isWhole || body.kind !== "json" || body.isStream) return [];
  return types.structOf(body.type)?.body.fields ?? [];
}

/** Returns the letters and digits of a name, without an `X-` before them. */
function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/^x-/u, "")
    .replace(/[^a-z0-9]+/gu, "");
}

/** Returns the name of the token whose next one has a name, or null. */
function tokenOf(next: string): string | null {
  const [, snake, first, rest] =
    /^next(?:_([A-Za-z]\w*)|([A-Z])(\w*))$/u.exec(next) ?? [];
  if (snake !== undefined) return snake;
  return first === undefined ? null : first.toLowerCase() + (rest ?? "");
}

function nextOf(name: string): string {
  return name.includes("_")
    ? `next_${name}`
    : `next${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Names in one scope differ in more than case. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The last page has no token, or null. */
function isNextToken(field: ModelField, types: Types): boolean {
  const isNull = field.metadata.some(({ key }) => key === "nullable");
  return (field.isOptional || isNull) && isText(field, types);
}

function isText({ type }: ModelField, types: Types): boolean {
  return stringsOf(type, types) !== null;
}

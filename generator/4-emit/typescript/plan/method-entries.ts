import type {
  ErrorMember,
  QueryParameter,
  RequestBody,
} from "../../../ir/contract.js";
import type { Doc } from "../text/format.js";
import { quoteNumber, quoteString } from "../text/quote.js";
import { arrayOf, entryOf, keyedOf, objectOf } from "../text/shapes.js";

/** Returns the entry for the query of a REST method, if it has one. */
export function queryEntry(query: readonly QueryParameter[]): readonly Doc[] {
  if (query.length === 0) return [];
  const entries = query.map((each) =>
    keyedOf(each.name, (key) =>
      each.kind === "field"
        ? `${key}: ${quoteString(each.field)}`
        : [`${key}: `, arrayOf([quoteString(each.value)])],
    ),
  );
  return [["query: ", objectOf(entries)]];
}

/** Returns the entry for the body of a request, if it has one. */
export function requestBodyEntry(body: RequestBody): readonly Doc[] {
  switch (body.kind) {
    case "none":
      return [];
    case "fields":
      return ["requestBody: true"];
    case "field":
      return [entryOf("requestBody", quoteString(body.field))];
  }
}

/** Returns the entry for the members that a server fills in, if any. */
export function membersEntry(members: readonly ErrorMember[]): readonly Doc[] {
  return members.length === 0
    ? []
    : [["members: ", arrayOf(members.map(memberOf))]];
}

function memberOf({
  isOpen,
  isText,
  names,
  path,
  role,
  value,
}: ErrorMember): Doc {
  const keys = path.map((key) => (key === 0 ? "0" : quoteString(key)));
  const hasText = isText && (role === "code" || role === "status");
  return objectOf([
    ["path: ", arrayOf(keys)],
    ...(role === null
      ? [entryOf("value", constantOf(value))]
      : [entryOf("role", quoteString(role))]),
    ...(names === null ? [] : [["names: ", namesOf(names)]]),
    ...(isOpen ? ["isOpen: true"] : []),
    ...(hasText ? ["isText: true"] : []),
  ]);
}

function namesOf(names: Readonly<Record<string, string>>): Doc {
  const entries = Object.entries(names).map(([name, value]) =>
    keyedOf(name, (key) => entryOf(key, quoteString(value))),
  );
  return objectOf(entries);
}

function constantOf(value: ErrorMember["value"]): string {
  switch (typeof value) {
    case "string":
      return quoteString(value);
    case "number":
    case "bigint":
      return quoteNumber(value);
    default:
      return JSON.stringify(value);
  }
}

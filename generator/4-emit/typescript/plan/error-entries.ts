import type { ErrorMember } from "../../../ir/contract.js";
import type { Doc } from "../text/format.js";
import { quoteNumber, quoteString } from "../text/quote.js";
import { arrayOf, entryOf, keyedOf, objectOf } from "../text/shapes.js";

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

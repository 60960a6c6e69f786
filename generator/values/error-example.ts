import type { ErrorDeclaration, ErrorMember } from "../ir/contract.js";
import { isRecord } from "../ir/is-record.js";

/** Returns an example of an error's body, with the parts of the error in it. */
export function fillExample(
  body: unknown,
  members: readonly ErrorMember[],
  error: Pick<ErrorDeclaration, "code" | "message" | "name" | "status">,
): unknown {
  return members.reduce((filled, member) => {
    const value = partOf(member, error);
    return value === undefined ? filled : withValue(filled, member.path, value);
  }, body);
}

function partOf(
  { isOpen, isText, names, role }: ErrorMember,
  { code, message, name, status }: Parameters<typeof fillExample>[2],
): string | number | undefined {
  const known = new Map(Object.entries(names ?? {}));
  switch (role) {
    case "name":
      return known.get(name) ?? (names === null || isOpen ? name : undefined);
    case "code":
      return isText ? `${code}` : code;
    case "message":
    case "title":
      return message;
    case "status":
      return isText ? `${status}` : status;
    case "cause":
    case null:
      return undefined;
  }
}

function withValue(
  holder: unknown,
  [key, ...rest]: ErrorMember["path"],
  value: unknown,
): unknown {
  if (key === undefined) return value;
  if (key === 0) {
    const [first, ...others] = Array.isArray(holder) ? holder : [];
    return [withValue(first, rest, value), ...others];
  }
  const own = isRecord(holder) ? holder : {};
  return { ...own, [key]: withValue(own[key], rest, value) };
}

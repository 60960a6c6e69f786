import { memberOf } from "../values/member.js";

/** A member of the body of an error that the error itself determines. */
export interface ErrorMember {
  /** Names from the body to the member. 0 is the first item of a list. */
  readonly path: readonly (string | 0)[];
  /** The part of the error. Without one, `value` is the member's value. */
  readonly role?: "name" | "code" | "message" | "title" | "status" | "cause";
  /** Values by the names of errors. Default: the part itself. */
  readonly names?: Readonly<Record<string, string>>;
  /** Whether errors that are not in `names` are written with their own names. */
  readonly isOpen?: true;
  /** Whether a code or a status is text. */
  readonly isText?: true;
  readonly value?: unknown;
}

/** Returns the value at a path, or undefined if there is none. */
export function readMember(body: unknown, { path }: ErrorMember): unknown {
  return path.reduce<unknown>(
    (holder, key) => memberOf(holder, `${key}`),
    body,
  );
}

/** Returns a copy of a body with a value at a path, unless there is one. */
export function withMember(
  holder: unknown,
  [key, ...rest]: readonly (string | 0)[],
  value: unknown,
): unknown {
  if (key === undefined) return holder === undefined ? value : holder;
  const isWrong =
    key === 0 ? !Array.isArray(holder) : Object(holder) !== holder;
  // Validation reports data of another type.
  if (holder !== undefined && isWrong) return holder;
  const held = withMember(memberOf(holder, `${key}`), rest, value);
  if (key !== 0) return { ...Object(holder), [key]: held };
  return [held, ...(Array.isArray(holder) ? holder.slice(1) : [])];
}

import type { Interceptor } from "@ridlkit/runtime/server";
import { isRecord } from "@ridlkit/runtime/validation";
import { printFailures } from "@ridlkit/runtime/validation";

import { InvalidArgumentError } from "../../generated/errors.js";

/**
 * Creates an interceptor that rejects messages with the character U+0000, which
 * PostgreSQL cannot store in text columns.
 *
 * Errors: `InvalidArgument`.
 */
export function createRefuseNul<State>(): Interceptor<State> {
  return (next) => (call) => {
    const path = findNul(call.request, []);
    if (path === null) return next(call);
    const expected = "a string without the character U+0000";
    const cause = printFailures([{ path, expected, got: "one with it" }]);
    throw new InvalidArgumentError({ cause });
  };
}

type Path = readonly (string | number)[];

/** Finds the path of the first U+0000. Returns null if there is none. */
function findNul(value: unknown, path: Path): Path | null {
  if (typeof value === "string") return value.includes("\0") ? path : null;
  if (Array.isArray(value)) return findAmong(value.entries(), path);
  if (!isRecord(value)) return null;
  const names = Object.keys(value);
  const name = names.find((each) => each.includes("\0"));
  if (name !== undefined) return path;
  return findAmong(Object.entries(value), path);
}

function findAmong(
  entries: Iterable<readonly [string | number, unknown]>,
  path: Path,
): Path | null {
  for (const [name, value] of entries) {
    const found = findNul(value, [...path, name]);
    if (found !== null) return found;
  }
  return null;
}

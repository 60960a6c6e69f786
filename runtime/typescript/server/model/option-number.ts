/**
 * Rejects an option that is set but not a number of at least `minimum`. NaN, as
 * from `Number(process.env.LIMIT)`, would silently disable a limit or refuse
 * everything.
 *
 * Errors: `TypeError`.
 */
export function requireNumber(
  option: string,
  value: unknown,
  minimum = 0,
): void {
  if (value === undefined) return;
  if (typeof value === "number" && value >= minimum) return;
  throw new TypeError(
    `option ${option} must be a number of at least ${String(minimum)}, ` +
      `not ${typeof value === "string" ? JSON.stringify(value) : String(value)}`,
  );
}

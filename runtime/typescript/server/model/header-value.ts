/**
 * Returns the value of a server option that becomes part of a response header.
 *
 * Errors: `TypeError` if it contains a character that headers cannot contain
 * (RFC 9110, section 5.5). Hosts could not send any response with that header.
 */
export function requireHeaderValue<Value extends string | undefined>(
  option: string,
  value: Value,
): Value {
  if (/^[\t\x20-\x7e\x80-\xff]*$/u.test(value ?? "")) return value;
  throw new TypeError(
    `server option ${option} must contain only characters that headers can contain`,
  );
}

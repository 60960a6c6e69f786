/** The part of a host's response that contains headers set by other code. */
interface HostResponse {
  getHeader?(name: string): unknown;
}

/**
 * Adds names to `Vary` that other code has set before, e.g. `Origin` by `cors`.
 * The headers of a response would replace them, so that caches send it to others.
 */
export function keepVary<Value extends string | number | string[]>(
  headers: Readonly<Record<string, Value>>,
  response: HostResponse,
): Record<string, Value | string> {
  const { vary } = headers;
  const before = vary && response.getHeader?.("vary");
  if (!before) return headers;
  return { ...headers, vary: [before, vary].flat().join(", ") };
}

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

/**
 * Adds a response's cookies to its headers, and what other code has set before:
 * names in `Vary`, and cookies, e.g. of a session.
 */
export function keepHeaders<Value extends string | number | string[]>(
  headers: Readonly<Record<string, Value>>,
  cookies: readonly string[] = [],
  response: HostResponse,
): Record<string, Value | string | string[]> {
  const kept = keepVary(headers, response);
  if (cookies.length === 0) return kept;
  const before = response.getHeader?.("set-cookie") ?? [];
  return { ...kept, "set-cookie": [before, cookies].flat().map(String) };
}

/**
 * Returns a key with 128 random bits. Unlike `randomUUID`, it also exists on
 * pages without TLS. Errors: TypeError in React Native, unless a polyfill such as
 * `react-native-get-random-values` provides `crypto`.
 */
export function randomKey(): string {
  if (typeof crypto === "undefined")
    throw new TypeError("idempotencyKey: required without `crypto`");
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

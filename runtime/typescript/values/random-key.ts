/**
 * Returns a key with 128 random bits. Unlike `randomUUID`, it also exists on
 * pages without TLS. Returns undefined in React Native, unless a polyfill such as
 * `react-native-get-random-values` provides `crypto`.
 */
export function randomKey(): string | undefined {
  // React Native has no `crypto`, and some of its polyfills lack this function.
  return globalThis.crypto?.getRandomValues?.(new Uint32Array(4)).join("-");
}

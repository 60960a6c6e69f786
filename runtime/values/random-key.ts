/**
 * Returns a key with 128 random bits. Unlike `randomUUID`, it also exists on
 * pages without TLS.
 */
export function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

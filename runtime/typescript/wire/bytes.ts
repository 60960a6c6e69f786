/** Converts base64 to bytes. */
export function decodeBytes(value: unknown): Uint8Array {
  const isPadded = typeof value === "string" && value.length % 4 === 0;
  if (!isPadded || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
    throw new TypeError();
  }
  const binary = atob(value);
  const bytes = new Uint8Array(binary.length);
  // This is much faster than `Uint8Array.from`, which iterates over code
  // points.
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Converts bytes to base64 with padding. */
export function encodeBytes(value: Uint8Array): string {
  let binary = "";
  // Convert in chunks, because arguments are passed on the stack.
  for (let start = 0; start < value.length; start += 0x8000) {
    binary += String.fromCharCode(...value.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}

/** Values for the placeholders of addresses, by name. */
export type Parameters = Readonly<Record<string, unknown>>;

/**
 * Fills the placeholders of an address.
 *
 * Input: e.g. `https://{network}.example.com/tokens/{ids}`, and a text, a number
 * or (joined by commas) a list for each of them.
 * Output: the address, every value percent-encoded.
 * Errors: TypeError when a value is missing, or empty, or would be read as a
 * step in the path (`.`, `..`).
 */
export function fillAddress(template: string, values: Parameters): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : "";
    const text = [value ?? ""].flat().map(encode).join();
    if (/^\.{0,2}$/.test(text)) {
      throw new TypeError(`parameter "${name}" is missing or not usable`);
    }
    return text;
  });
}

function encode(value: unknown): string {
  return encodeURIComponent(String(value));
}

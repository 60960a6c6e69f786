/**
 * Fills the placeholders of an address.
 *
 * Input: e.g. `https://{network}.example.com/{ids}/rpc`, and a text, a number or
 * a list (joined by commas) for each of them.
 * Output: the address, every value percent-encoded.
 * Errors: TypeError when a value is missing or empty, or would be read as a step
 * in the path (`.`, `..`).
 */
export function fillAddress(template: string, values: object): string {
  // A map, because objects inherit values that nobody gave.
  const given = new Map<string, unknown>(Object.entries(values));
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = [given.get(name) ?? ""].flat().map(encode).join();
    if (/^\.{0,2}$/.test(text)) {
      throw new TypeError(`parameter ${name} is missing or not usable`);
    }
    return text;
  });
}

function encode(value: unknown): string {
  return encodeURIComponent(String(value));
}

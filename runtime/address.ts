/**
 * Fills the placeholders of an address.
 *
 * Input: e.g. `https://{network}.example.com/{ids}/rpc`, and what gives the
 * percent-encoded text for a name.
 * Errors: TypeError when that text is empty, or would be read as a step in the
 * path (`.`, `..`).
 */
export function fillAddress(
  template: string,
  encode: (name: string) => string,
): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = encode(name);
    if (/^\.{0,2}$/.test(text)) {
      throw new TypeError(`parameter ${name} is missing or not usable`);
    }
    return text;
  });
}

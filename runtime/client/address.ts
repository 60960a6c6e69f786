/** Values for placeholders, by name. */
export type AddressParameters = Readonly<Record<string, string>>;

/** An address that depends on parameters; made by `address`. */
export type Address = (parameters: AddressParameters) => string;

/**
 * A base address with placeholders, for `baseUrl`.
 *
 * Example: `address("https://{network}-indexer.example.com")`.
 * Errors of what it makes: as `fillParameters`.
 */
export function address(template: string): Address {
  return (parameters) => fillParameters(template, parameters);
}

/**
 * Fills the placeholders of an address or a path; lists are joined by commas.
 *
 * Input: e.g. `https://{network}.example.com/{ids}/rpc`, and values by name.
 * Errors: TypeError when a value is missing, empty, or would be read as a step in
 * the path (`.`, `..`).
 */
export function fillParameters(template: string, values: object): string {
  // A map, because objects inherit values that nobody gave.
  const given = new Map<string, string>(Object.entries(values));
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    // Numbers and lists are written as text anyway.
    const text = [given.get(name) ?? ""].flat().map(encodeURIComponent).join();
    if (/^\.{0,2}$/.test(text)) {
      throw new TypeError(`parameter ${name} is missing or not usable`);
    }
    return text;
  });
}

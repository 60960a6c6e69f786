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
 * Fills the placeholders of an address from parameters.
 *
 * Errors: TypeError when a parameter is missing, empty, or would be read as a
 * step in the path (`.`, `..`).
 */
export function fillParameters(
  template: string,
  parameters: AddressParameters,
): string {
  return fillAddress(template, (name) =>
    // Objects inherit values that nobody gave.
    Object.hasOwn(parameters, name)
      ? encodeURIComponent(parameters[name] ?? "")
      : "",
  );
}

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

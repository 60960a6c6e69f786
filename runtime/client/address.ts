/** Values for the placeholders of an address, by name. */
export type AddressParameters = Readonly<Record<string, string>>;

/** Builds a base address from parameters. `address` returns such a function. */
export type Address = (parameters: AddressParameters) => string;

/**
 * Returns a function that fills the placeholders of a base address. Clients
 * accept it as their `baseUrl`.
 *
 * Example: `address("https://{network}-indexer.example.com")`.
 * Errors: the returned function throws what `fillParameters` throws.
 */
export function address(template: string): Address {
  return (parameters) => fillParameters(template, parameters);
}

/**
 * Fills the placeholders of an address or a path. Lists are joined with commas.
 *
 * Input: a template such as `https://{network}.example.com/{ids}/rpc`, and the
 * values by name.
 * Errors: TypeError if a value is missing, empty, `.`, or `..`, if it contains an
 * unpaired surrogate, or if an item of a list contains a comma.
 */
export function fillParameters(template: string, values: object): string {
  // Use a map, because an object inherits values that the caller did not pass.
  const given = new Map<string, string | string[]>(Object.entries(values));
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.get(name) ?? [];
    if (
      // Numbers and lists are converted to text.
      /^\.{0,2}$|\p{Cs}/u.test(value as string) ||
      // Only lists can be joined. Servers also split them at encoded commas.
      /,/.test((value as Partial<string[]>).join?.("") as string)
    ) {
      throw new TypeError(
        `parameter ${name} is missing, invalid, or has items with commas`,
      );
    }
    return [value].flat().map(encodeURIComponent).join();
  });
}

/** Request fields, or lists of texts in their place, by their names in a query. */
export type QueryFields = Readonly<Record<string, string | readonly string[]>>;

/**
 * Prints a query. Absent fields and empty lists add nothing to it.
 *
 * Errors: TypeError if a value contains an unpaired surrogate.
 */
export function printQuery(query: QueryFields, message: unknown): string {
  const given = new Map<string, string>(Object.entries(Object(message)));
  const pairs = Object.entries(query).flatMap(([name, field]) =>
    [(Array.isArray(field) ? field : given.get(String(field))) ?? []]
      .flat()
      .map((value) => {
        if (/\p{Cs}/u.test(value)) {
          throw new TypeError(`parameter ${name} has an unpaired surrogate`);
        }
        return [name, value].map(encodeURIComponent).join("=");
      }),
  );
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}

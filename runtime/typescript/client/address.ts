import { ownValue } from "../values/predicates.js";
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
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (ownValue(values, name) ?? []) as string | string[];
    if (
      // Numbers and lists are converted to text.
      /^\.{0,2}$|\p{Cs}/u.test(value as string) ||
      // Only lists can be joined. Servers also split them at encoded commas.
      /,/.test((value as Partial<string[]>).join?.("") as string)
    ) {
      throw TypeError(
        `parameter ${name} is missing, invalid, or has items with commas`,
      );
    }
    return [value].flat().map(encodeURIComponent).join();
  });
}

/** Request fields, or lists of texts in their place, by their names in a query. */
export type QueryFields = Readonly<Record<string, string | readonly string[]>>;

/**
 * Prints a query. Absent fields and empty lists add nothing to it. The items of
 * lists with names in `joined` are separated by commas.
 *
 * Errors: TypeError if a value contains an unpaired surrogate, or if an item of a
 * joined list contains a comma.
 */
export function printQuery(
  query: QueryFields,
  message: unknown,
  joined: readonly string[] = [],
): string {
  const given = new Map<string, string>(Object.entries(Object(message)));
  const pairs = Object.entries(query).flatMap(([name, field]) => {
    const isJoined = joined.includes(name);
    const values = [
      (Array.isArray(field) ? field : given.get(String(field))) ?? [],
    ]
      .flat()
      .map((value) => {
        if (/\p{Cs}/u.test(value) || (isJoined && /,/.test(value))) {
          const fault = isJoined ? "a comma or an" : "an";
          throw TypeError(`parameter ${name} has ${fault} unpaired surrogate`);
        }
        return encodeURIComponent(value);
      });
    const texts = isJoined && values.length > 0 ? [values.join()] : values;
    return texts.map((text) => `${encodeURIComponent(name)}=${text}`);
  });
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}

/**
 * Prints the fields of a form, as in a query. Members of objects are `a[b]=1`,
 * and so are items of lists that contain objects or lists. Absent fields, null,
 * empty lists, and empty objects add nothing.
 *
 * Errors: TypeError if an item of a list is empty, if a name contains a bracket,
 * or if a name or value contains an unpaired surrogate.
 */
export function printForm(fields: unknown): string {
  return printFields(fields, "");
}

/** Prints a form like `printForm`, but with lists as `a[]=1&a[]=2`. */
export function printBracketForm(fields: unknown): string {
  return printFields(fields, "[]");
}

function printFields(fields: unknown, listMark: string): string {
  const pairs = Object.entries(Object(fields)).flatMap(([name, value]) =>
    pairsOf(checkName(name), value, listMark),
  );
  return printQuery(Object.fromEntries(pairs), {}).slice(1);
}

/** Returns the values of a field by their names in a form. */
function pairsOf(
  name: string,
  value: unknown,
  listMark: string,
): (readonly [string, readonly string[]])[] {
  if (value === null || value === undefined) return [];
  // JSON leaves them out, too.
  if (typeof value === "function") return [];
  if (typeof value !== "object") return [[name, [String(value)]]];
  const isList = Array.isArray(value);
  if (isList && value.every((item) => typeof item !== "object")) {
    return value.length > 0 ? [[name + listMark, value.map(String)]] : [];
  }
  return Object.entries(value).flatMap(([key, item]) => {
    const inner = `${name}[${checkName(key)}]`;
    const pairs = pairsOf(inner, item, listMark);
    if (isList && pairs.length === 0) {
      throw TypeError(`${inner} is empty, which a form cannot express`);
    }
    return pairs;
  });
}

function checkName(name: string): string {
  if (!/[[\]]|\p{Cs}/u.test(name)) return name;
  throw TypeError(`a form cannot express the name ${name}`);
}

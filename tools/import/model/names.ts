/** Splits text into words: `listOrders`, `list_orders` and `list-orders` alike. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}+/gu, "");
  return (
    plain
      .replace(/([a-z0-9])([A-Z])/gu, "$1 $2")
      .replace(/([A-Z]+)([A-Z][a-z])/gu, "$1 $2")
      .match(/[A-Za-z0-9]+/gu) ?? []
  );
}

/** `list-orders` becomes `ListOrders`. Returns "" without letters and digits. */
export function toPascal(text: string): string {
  return wordsOf(text)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** A name of a type, an error, a service or a method; `fallback` if it is empty. */
export function toTypeName(text: string, fallback: string): string {
  const name = /^[A-Z][A-Za-z0-9_]*$/u.test(text) ? text : toPascal(text);
  if (name === "") return fallback;
  return /^[A-Z]/u.test(name) ? name : fallback + name;
}

/** A name of a field or an argument. A valid one is kept as it is. */
export function toFieldName(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9_]*$/u.test(text)) return text;
  const name = toPascal(text);
  const first = name.charAt(0).toLowerCase();
  if (name === "") return "value";
  return /^[a-z]/u.test(first) ? first + name.slice(1) : `field${name}`;
}

/** The name of an item: `Orders` becomes `Order`. */
export function toSingular(name: string): string {
  if (/(?:ss|us|is|news|series)$/iu.test(name)) return name;
  if (/ies$/u.test(name) && name.length > 4) return `${name.slice(0, -3)}y`;
  if (/(?:ches|shes|sses|xes|[ti][au]ses)$/u.test(name))
    return name.slice(0, -2);
  return /[a-rt-z0-9]s$/u.test(name) ? name.slice(0, -1) : name;
}

/** Names a value after its type: `orders` for `[]Order`. */
export function nameOfValue(type: string, fallback: string): string {
  const inner = type.replace(/^(?:\[\])+/u, "");
  if (!/^[A-Z]/u.test(inner)) return type.startsWith("[]") ? "items" : fallback;
  const pascal = toPascal(inner);
  const name = (
    /^[A-Z]+(?![a-z])/u.exec(pascal)?.[0] ?? pascal.charAt(0)
  ).toLowerCase();
  const camel = name + pascal.slice(name.length);
  if (!type.startsWith("[]")) return camel;
  if (/(?:s|x|ch|sh)$/u.test(camel))
    return /s$/u.test(camel) ? camel : `${camel}es`;
  return /[^aeiou]y$/u.test(camel) ? `${camel.slice(0, -1)}ies` : `${camel}s`;
}

/** Names in one scope. They differ in more than case. */
export class NameScope {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  /** Returns the name, with a number if it is taken, and takes it. */
  take(name: string): string {
    const key = name.toLowerCase();
    let number = this.#next.get(key) ?? 2;
    let unique = name;
    while (this.#taken.has(unique.toLowerCase())) unique = name + number++;
    this.#next.set(key, number);
    this.#taken.add(unique.toLowerCase());
    return unique;
  }

  has(name: string): boolean {
    return this.#taken.has(name.toLowerCase());
  }
}

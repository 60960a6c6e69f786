/**
 * Splits a name into words: at every character that is neither a letter nor a
 * digit, before an uppercase letter that follows a lowercase letter or a digit,
 * and before the last letter of an uppercase run. `HTTPGet` becomes `HTTP` and
 * `Get`, and `ERC20Token` becomes `ERC20` and `Token`.
 */
export function wordsOf(name: string): readonly string[] {
  return (
    name.match(
      /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[\p{Ll}\p{Lo}\p{Lt}\p{Lm}\p{M}]+\p{N}*|\p{Lu}\p{N}*|\p{N}+/gu,
    ) ?? []
  );
}

/** Converts `IN_PROGRESS` to `in_progress`. Keeps other names, such as `ID`. */
export function withoutShouting(name: string): string {
  const isShouted = /^[^\p{Ll}]*\p{Lu}[_-]\p{Lu}[^\p{Ll}]*$/u.test(name);
  return isShouted ? name.toLowerCase() : name;
}

/** Converts `GetSwapPrice` to `getSwapPrice` and `HTTPGet` to `httpGet`. */
export function camelCase(name: string): string {
  const words = wordsOf(name);
  const [first = "", ...rest] = words;
  return first.toLowerCase() + rest.map(upperFirst).join("");
}

/** Converts `v1/Example` to `V1Example`, and keeps `API`. */
export function pascalCase(name: string): string {
  // All words after the first start with an uppercase letter.
  if (/^[A-Za-z]+$/u.test(name)) return upperFirst(name);
  return wordsOf(name).map(upperFirst).join("");
}

/** Converts `MarketplaceAPI` to `marketplace-api`. */
export function kebabCase(name: string): string {
  return wordsOf(name)
    .map((word) => word.toLowerCase())
    .join("-");
}

/** Returns the default message of an error: `QueryFailed` → `Query failed`. */
export function errorText(name: string): string {
  return name
    .replace(/\B[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`)
    .replace("Webrpc ", "");
}

/** Converts the first letter to uppercase. */
export function upperFirst(text: string): string {
  const code = text.codePointAt(0);
  if (code === undefined) return "";
  const first = String.fromCodePoint(code);
  return first.toUpperCase() + text.slice(first.length);
}

const PASCAL_CASE = /^[A-Z][A-Za-z0-9]*$/;
const CAMEL_CASE = /^[a-z][A-Za-z0-9]*$/;
/** Splits `HTTPServer` and `user_id` into two words, and `v2` into one. */
const WORD = /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+/g;

/** Whether a name is in `PascalCase`. */
export function isPascalCase(name: string): boolean {
  return PASCAL_CASE.test(name);
}

/** Whether a name is in `camelCase`. */
export function isCamelCase(name: string): boolean {
  return CAMEL_CASE.test(name);
}

/** Returns the words of a name in lower case: `["user", "id"]` for `userID`. */
export function wordsOf(name: string): readonly string[] {
  return (name.match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** Converts `user_info` to `UserInfo`. */
export function toPascalCase(name: string): string {
  return wordsOf(name).map(capitalize).join("");
}

/** Converts `user_id` to `userId`. */
export function toCamelCase(name: string): string {
  const [first = "", ...rest] = wordsOf(name);
  return first + rest.map(capitalize).join("");
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

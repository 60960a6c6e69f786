const PASCAL_CASE = /^[A-Z][A-Za-z0-9]*$/;
const CAMEL_CASE = /^[a-z][A-Za-z0-9]*$/;
/** `HTTPServer` and `user_id` are two words each; `v2` is one. */
const WORD = /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+/g;

/** Whether a name is written `LikeThis`. */
export function isPascalCase(name: string): boolean {
  return PASCAL_CASE.test(name);
}

/** Whether a name is written `likeThis`. */
export function isCamelCase(name: string): boolean {
  return CAMEL_CASE.test(name);
}

/** The words of a name in lower case: `userID` gives `["user", "id"]`. */
export function wordsOf(name: string): readonly string[] {
  return (name.match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** `user_info` becomes `UserInfo`. */
export function toPascalCase(name: string): string {
  return wordsOf(name).map(capitalize).join("");
}

/** `user_id` becomes `userId`. */
export function toCamelCase(name: string): string {
  const [first = "", ...rest] = wordsOf(name);
  return first + rest.map(capitalize).join("");
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** Joins names, e.g. `` `A`, `B` and `C` ``. */
export function listNames(
  names: readonly string[],
  conjunction: "and" | "or" = "and",
): string {
  const quoted = names.map(codeOf);
  const last = quoted.at(-1) ?? "";
  const others = quoted.slice(0, -1).join(", ");
  return others === "" ? last : `${others} ${conjunction} ${last}`;
}

/**
 * Prints text as code. Backticks are escaped as `\u0060`, as in JSON and
 * patterns.
 */
export function codeOf(text: string): string {
  return `\`${text.replaceAll("`", "\\u0060")}\``;
}

/** The documentation of a declaration. */
export interface Docs {
  /** Lines of the doc comment, without `origin:` lines. */
  readonly lines: readonly string[];
  /** Where the facts come from. Empty if the schema does not say. */
  readonly origins: readonly Origin[];
}

/** One entry of an `origin:` line in a doc comment, e.g. `stated 4.4`. */
export interface Origin {
  /**
   * `stated`: stated by the document that the contract implements. `public`:
   * known from public sources. `decided`: decided by the contract's authors.
   */
  readonly kind: "stated" | "public" | "decided";
  /** The rest of the entry, e.g. `4.4` or `paging`. It can be empty. */
  readonly detail: string;
}

/** Removes empty lines at both ends. */
export function trimBlank(lines: readonly string[]): readonly string[] {
  if (lines[0] !== "" && lines.at(-1) !== "") return lines;
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, last + 1);
}

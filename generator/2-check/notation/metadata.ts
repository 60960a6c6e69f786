import type { Field, Metadata } from "../../1-parse/ast.js";

/** What carries `+ key = value` lines. */
export type Described = Pick<Field, "metadata">;

/** The line with that key; of several the last, as webrpc reads them. */
export function findMetadata(
  owner: Described,
  key: string,
): Metadata | undefined {
  // Asked a dozen times about every field.
  const { metadata } = owner;
  for (let index = metadata.length - 1; index >= 0; index -= 1) {
    const entry = metadata[index];
    if (entry?.key.text === key) return entry;
  }
  return undefined;
}

/** The value of that key, if any. */
export function metadataValue(
  owner: Described,
  key: string,
): string | undefined {
  return findMetadata(owner, key)?.value.text;
}

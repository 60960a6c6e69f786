import type { Argument, Field, Metadata, Variant } from "../../1-parse/ast.js";

/** A declaration with `+ key = value` lines. */
export type HasMetadata = Pick<Field, "metadata">;

/**
 * Returns the line with this key, if any. As in webrpc, the last one counts.
 */
export function findMetadata(
  owner: HasMetadata,
  key: string,
): Metadata | undefined {
  // This is called a dozen times for every field, so use an indexed loop.
  const { metadata } = owner;
  for (let index = metadata.length - 1; index >= 0; index -= 1) {
    const entry = metadata[index];
    if (entry?.key.text === key) return entry;
  }
  return undefined;
}

/** Returns the value of this key, if any. */
export function metadataValue(
  owner: HasMetadata,
  key: string,
): string | undefined {
  return findMetadata(owner, key)?.value.text;
}

/** Returns the variants of all `+ oneOf` lines. */
export function variantsOf({ metadata }: HasMetadata): readonly Variant[] {
  return metadata.flatMap(({ variants = [] }) => variants);
}

/** Whether a declaration has a `+ oneOf` line. */
export function isUnion({ metadata }: HasMetadata): boolean {
  return metadata.some(({ variants }) => variants !== undefined);
}

/** Whether a field collects the members that no other field declares. */
export function isExtra(owner: HasMetadata): boolean {
  return metadataValue(owner, "extra") === "true";
}

/**
 * Returns the name of a field or an argument on the wire, or null for
 * `+ json = -`. webrpc only accepts identifiers in `+ json`, so other names are
 * in `+ jsonName`.
 */
export function jsonNameOf(syntax: Field | Argument): string | null {
  const any = metadataValue(syntax, "jsonName");
  if (any !== undefined) return any;
  const written = metadataValue(syntax, "json");
  if (written === undefined) return syntax.name.text;
  const [name] = written.split(",");
  if (name === "-") return null;
  return name || syntax.name.text;
}

/** Returns the line that sets the name of a field on the wire, if any. */
export function findJsonName(owner: HasMetadata): Metadata | undefined {
  return findMetadata(owner, "jsonName") ?? findMetadata(owner, "json");
}

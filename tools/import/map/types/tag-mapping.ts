import type { DocumentPart } from "../../read/document-part.js";

/** The schemas that the mapping of a discriminator gives tags. */
export interface TagMapping {
  /** The tags of schemas by the places of these. */
  readonly tags: ReadonlyMap<string, readonly string[]>;
  /** The schemas by their tags. */
  readonly targets: ReadonlyMap<string, DocumentPart>;
  /** Entries for schemas that the document does not have. */
  readonly missing: readonly DocumentPart[];
}

/** Reads the mapping of a discriminator. `find` returns the schema of an entry. */
export function readTagMapping(
  discriminator: DocumentPart,
  find: (entry: DocumentPart) => DocumentPart | null,
): TagMapping {
  const tags = new Map<string, string[]>();
  const targets = new Map<string, DocumentPart>();
  const missing: DocumentPart[] = [];
  for (const entry of discriminator.get("mapping")?.entries() ?? []) {
    const target = find(entry);
    if (target === null) {
      missing.push(entry);
      continue;
    }
    targets.set(entry.key, target);
    const known = tags.get(target.id);
    if (known === undefined) tags.set(target.id, [entry.key]);
    else known.push(entry.key);
  }
  return { tags, targets, missing };
}

import {
  type HasMetadata,
  metadataValue,
} from "../2-check/notation/metadata.js";
import {
  parseCount,
  parseFlag,
  parseNumber,
} from "../2-check/notation/numbers.js";
import type { Constraints, MetadataEntry } from "../ir/contract.js";

type Reader = (text: string) => Constraints[keyof Constraints] | null;

/** Reads the value of each limit. Returns null if it is not valid. */
const readers: readonly (readonly [keyof Constraints, Reader])[] = [
  ["minimum", parseNumber],
  ["maximum", parseNumber],
  ["minLength", parseCount],
  ["maxLength", parseCount],
  ["pattern", (text) => text],
  ["format", (text) => (text === "uri" ? text : null)],
  ["minItems", parseCount],
  ["maxItems", parseCount],
  ["uniqueItems", (text) => parseFlag(text) || null],
  ["minProperties", parseCount],
  ["maxProperties", parseCount],
  ["example", (text) => text],
];

/** The constraints of all fields without limits. Most fields have none. */
export const unlimited: Constraints = {};
/** Shared by all declarations without metadata. */
export const noMetadata: readonly MetadataEntry[] = [];

/** Reads the limits from the metadata and ignores other keys. */
export function lowerConstraints(owner: HasMetadata): Constraints {
  if (owner.metadata.length === 0) return unlimited;
  const limits: [keyof Constraints, Constraints[keyof Constraints]][] = [];
  for (const [key, read] of readers) {
    const text = metadataValue(owner, key);
    const value = text === undefined ? null : read(text);
    if (value !== null) limits.push([key, value]);
  }
  return Object.fromEntries(limits);
}

/** Returns all metadata as written. */
export function lowerMetadata(owner: HasMetadata): readonly MetadataEntry[] {
  if (owner.metadata.length === 0) return noMetadata;
  return owner.metadata.map(({ key, value }) => ({
    key: key.text,
    value: value.text,
  }));
}

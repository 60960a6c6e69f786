import type { DocumentFiles } from "../../read/document-files.js";
import type { DocumentPart } from "../../read/document-part.js";

/** Keywords beside `$ref` that describe one use of the type. */
const useKeywords: ReadonlySet<string> = new Set([
  ..."$ref description summary title nullable deprecated default".split(" "),
  ..."example examples readOnly writeOnly xml externalDocs $comment".split(" "),
]);

/** Returns the part to follow if a schema only refers to another one. */
export function referenceOf(part: DocumentPart): DocumentPart | null {
  const keys = part.entries().map(({ key }) => key);
  const isReference =
    part.get("$ref") !== null &&
    keys.every((key) => useKeywords.has(key) || key.startsWith("x-"));
  return isReference ? part : singleReference(part);
}

/** `{ allOf: [{ $ref }], description }` is a reference with documentation. */
export function singleReference(part: DocumentPart): DocumentPart | null {
  const [first, ...others] = part.get("allOf")?.items() ?? [];
  const isSingle =
    first !== undefined &&
    others.length === 0 &&
    part
      .entries()
      .every(
        ({ key }) =>
          key === "allOf" || useKeywords.has(key) || key.startsWith("x-"),
      );
  return isSingle && part.get("$ref") === null ? first : null;
}

/** The schema that a reference means, and the references on the way to it. */
interface Followed {
  readonly target: DocumentPart;
  readonly hops: readonly DocumentPart[];
}

/** Follows `$ref` to the first schema that does more than refer to another. */
export function followReference(
  part: DocumentPart,
  library: DocumentFiles,
): Followed | null {
  const hops = library.hopsFrom(part);
  const at = hops?.findIndex((each) => referenceOf(each) !== each) ?? -1;
  const target = hops?.[at];
  return hops && target ? { target, hops: hops.slice(0, at) } : null;
}

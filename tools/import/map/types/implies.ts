import type { DocumentPart } from "../../read/document-part.js";
import type { DocumentFiles } from "../../read/document-files.js";

/** Whether all values of a list are in another list. */
function isPartOf(list: DocumentPart, other: DocumentPart): boolean {
  const values = new Set(other.items().map(({ written }) => written));
  const items = list.items();
  return items.length > 0 && items.every(({ written }) => values.has(written));
}

/** Keywords that exclude no values. */
const free: ReadonlySet<string> = new Set([
  ..."description title example examples default deprecated".split(" "),
  ..."readOnly writeOnly externalDocs xml $comment nullable".split(" "),
]);

/** Deeper schemas count as different. */
const maxDepth = 10;

/** Whether all values of a schema, or of a keyword, are those of another one. */
export function implies(
  used: DocumentPart,
  other: DocumentPart,
  library: DocumentFiles,
  depth = 0,
): boolean {
  if (used.node.kind !== "map" || other.node.kind !== "map") {
    const isSame = other.isTrue || used.written === other.written;
    return isSame || isPartOf(used, other);
  }
  const [one, two] = [library.resolve(used), library.resolve(other)];
  if (one === null || two === null || depth > maxDepth) return false;
  if (one.id === two.id) return true;
  const layers = one.get("allOf")?.items() ?? [];
  if (layers.some((layer) => implies(layer, other, library, depth + 1))) {
    return true;
  }
  const isWider = isNullable(one) && !isNullable(two);
  const isPlain = [used, other].every(hasPlainReference);
  return (
    !isWider &&
    isPlain &&
    two.entries().every((part) => {
      if (free.has(part.key) || part.key.startsWith("x-")) return true;
      if (part.key === "allOf") {
        return part
          .items()
          .every((layer) => implies(used, layer, library, depth + 1));
      }
      const own = one.get(part.key);
      if (part.key !== "properties" || own === null) {
        return own !== null && implies(own, part, library, depth + 1);
      }
      return part.entries().every((property) => {
        const same = own.get(property.key);
        return same !== null && implies(same, property, library, depth + 1);
      });
    })
  );
}

function isNullable(schema: DocumentPart): boolean {
  return schema.get("nullable")?.isTrue === true;
}

/** Whether only words stand beside a reference. */
function hasPlainReference(schema: DocumentPart): boolean {
  const others = schema.entries().filter(({ key }) => key !== "$ref");
  return (
    schema.get("$ref") === null || others.every(({ key }) => free.has(key))
  );
}

import type { DocumentPart } from "../read/document-part.js";
import type { NoteLog } from "../notes/note.js";
import type { DocumentFiles } from "../read/document-files.js";

/** A parameter of the query with one property of an object. */
export interface PropertyParameter {
  /** The name in the query. */
  readonly name: string;
  readonly schema: DocumentPart;
  readonly isRequired: boolean;
}

/** What a schema can say that becomes part of the properties' parameters. */
const known: ReadonlySet<string> = new Set([
  ...["additionalProperties", "description", "example", "properties"],
  ...["required", "title", "type"],
]);

const scalars: ReadonlySet<string | null> = new Set([
  ...["boolean", "integer", "number", "string"],
]);

/**
 * Returns the parameters that an object in the query consists of:
 * `filter[status]` in the style `deepObject`, otherwise `status`. Returns null for
 * other parameters, and for objects that are more than scalar properties and, in
 * the style `deepObject`, lists of scalars.
 */
export function propertiesOf(
  part: DocumentPart,
  library: DocumentFiles,
): readonly PropertyParameter[] | null {
  const written = part.get("schema");
  const schema = written && library.resolve(written);
  if (part.textOf("in") !== "query" || schema === null) return null;
  const properties = schema.get("properties")?.entries() ?? [];
  const keys = schema.entries().map(({ key }) => key);
  if (properties.length === 0 || !keys.every((key) => known.has(key))) {
    return null;
  }
  const nameOf = namer(part);
  const required = schema.get("required")?.items() ?? [];
  const isOptional = part.get("required")?.isTrue !== true;
  // Its properties are only required together.
  const isAll = isOptional && required.length > 0 && properties.length > 1;
  if (nameOf === null || isAll) return null;
  const isDeep = part.textOf("style") === "deepObject";
  const isScalar = (each: DocumentPart | null): boolean => {
    const own = each && library.resolve(each);
    return own !== null && scalars.has(own.textOf("type"));
  };
  const isEach = properties.every(
    (each) =>
      isScalar(each) ||
      (isDeep && isScalar(library.resolve(each)?.get("items") ?? null)),
  );
  if (!isEach) return null;
  return properties.map((property) => ({
    name: nameOf(property.key),
    schema: property,
    isRequired:
      !isOptional && required.some((each) => each.text === property.key),
  }));
}

/** Notes members of an object in the query that it has besides its properties. */
export function noteOtherMembers(
  part: DocumentPart,
  library: DocumentFiles,
  notes: NoteLog,
): void {
  const schema = part.get("schema");
  const values = schema && library.resolve(schema)?.get("additionalProperties");
  if (!values) return;
  if (values.isFalse) {
    const message = "`additionalProperties: false` rejects unknown members";
    notes.add("advice", values, message, "they are ignored");
    return;
  }
  const message = "RIDL has no parameters with any name";
  notes.add("wire", values, message, "only the properties are sent and read");
}

/** Returns a function that names the parameter of a property. */
function namer(part: DocumentPart): ((key: string) => string) | null {
  const name = part.textOf("name") ?? "";
  switch (part.textOf("style")) {
    case "deepObject":
      return (key) => `${name}[${key}]`;
    case "form":
    case null:
      return part.get("explode")?.isFalse === true ? null : (key) => key;
    default:
      return null;
  }
}

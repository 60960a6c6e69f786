import type { LinkedSchema } from "./link-schema.js";
import type { ParserSide, SchemaNote } from "./schema-note.js";

/** A type of JavaScript in JSON. */
export interface LibrarySchema {
  readonly schema: LinkedSchema;
  readonly notes: readonly SchemaNote[];
}

/** Returns the schema of `Date`. */
export function dateSchema(
  hasTransformer: boolean,
  side: ParserSide,
): LibrarySchema {
  const notes: readonly SchemaNote[] =
    side === "input" && !hasTransformer
      ? [["wire", "JSON has no `Date`", "it is a timestamp in RFC 3339"]]
      : [];
  return { schema: { type: "string", format: "date-time" }, notes };
}

/** Returns the schema of `bigint`. */
export function bigintSchema(hasTransformer: boolean): LibrarySchema {
  const notes: readonly SchemaNote[] = hasTransformer
    ? []
    : [["wire", "JSON has no `bigint`", "it is an `int64`"]];
  return { schema: { type: "integer", format: "int64" }, notes };
}

/** Returns the schema of a class or an interface that JSON does not have. */
export function librarySchema(name: string): LibrarySchema {
  const message = `JSON has no \`${name}\``;
  return { schema: {}, notes: [["wire", message, "any value is accepted"]] };
}

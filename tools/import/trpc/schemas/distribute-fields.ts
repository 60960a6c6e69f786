import { isRecord } from "../../../../generator/ir/is-record.js";
import { type JsonMap, listOf } from "./members.js";

/** An object that is described by its properties alone. */
interface PlainObject {
  readonly properties: JsonMap;
  readonly required: readonly unknown[];
}

/**
 * Adds the fields of objects to each variant of a union with which `allOf`
 * combines them, because variants in RIDL are whole structs. Returns the schema
 * itself if it has another form.
 */
export function distributeFields(schema: JsonMap): JsonMap {
  const { allOf, ...others } = schema;
  const parts = listOf(allOf);
  const [union = null, ...more] = parts
    .map(unionIn)
    .filter((each) => each !== null);
  const objects = parts
    .filter((each) => unionIn(each) === null)
    .map(plainObject);
  const isOther = ["oneOf", "anyOf", "properties"].some((key) => key in others);
  if (union === null || more.length > 0 || isOther) return schema;
  const variants = union.map((variant) => {
    // The tag comes first, because it names the variant.
    const all = [plainObject(variant), ...objects];
    const known = all.flatMap((each) => each ?? []);
    return known.length === all.length ? mergeObjects(known) : null;
  });
  return variants.every((each) => each !== null)
    ? { ...others, oneOf: variants }
    : schema;
}

function unionIn(part: unknown): readonly unknown[] | null {
  if (!isRecord(part)) return null;
  const [key, ...more] = Object.keys(part);
  const isUnion = more.length === 0 && (key === "oneOf" || key === "anyOf");
  return isUnion ? listOf(part[key]) : null;
}

function plainObject(part: unknown): PlainObject | null {
  if (!isRecord(part)) return null;
  const { properties, required, type, ...others } = part;
  const isPlain =
    type === "object" && isRecord(properties) && !Object.keys(others)[0];
  return isPlain ? { properties, required: listOf(required) } : null;
}

/** Returns an object with the properties of all, or null if two share one. */
function mergeObjects(all: readonly PlainObject[]): JsonMap | null {
  const entries = all.flatMap(({ properties }) => Object.entries(properties));
  if (new Set(entries.map(([key]) => key)).size < entries.length) return null;
  return {
    type: "object",
    properties: Object.fromEntries(entries),
    required: all.flatMap(({ required }) => required),
  };
}

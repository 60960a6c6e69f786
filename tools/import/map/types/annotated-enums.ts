import type { DocumentPart } from "../../read/document-part.js";
import { toComment } from "../../model/comments.js";
import type { SchemaView } from "./schema-view.js";

/** A value that has a schema of its own, with its name and description. */
export interface AnnotatedValue {
  readonly value: DocumentPart;
  readonly title: string | null;
  readonly description: string | null;
}

/**
 * Returns the values of a schema such as `oneOf: [{ const: 1, title: "ONE" }]`, or
 * null for other schemas. Null is no value.
 */
export function annotatedValues(
  view: SchemaView,
): readonly AnnotatedValue[] | null {
  const lists = [...view.all("oneOf"), ...view.all("anyOf")];
  const [list, ...others] = lists;
  if (list === undefined || others.length > 0 || view.properties.size > 0) {
    return null;
  }
  const values = list.items().map(valueIn);
  const known = values.filter((each) => each !== null);
  const isComplete = known.length === values.length;
  const present = known.filter(({ value }) => value.node.kind !== "null");
  return isComplete && present.length > 0 ? present : null;
}

const keywords = /^(?:const|deprecated|description|enum|title|type|x-.*)$/u;

function valueIn(part: DocumentPart): AnnotatedValue | null {
  if (part.node.kind !== "map") return null;
  if (!part.entries().every(({ key }) => keywords.test(key))) return null;
  const [only = null, ...others] = part.get("enum")?.items() ?? [];
  const value = part.get("const") ?? (others.length === 0 ? only : null);
  if (value === null) return null;
  return {
    value,
    title: part.textOf("title"),
    description: part.textOf("description"),
  };
}

/** Describes values that are no members of an enum, e.g. numbers. */
export function describeValues(
  values: readonly AnnotatedValue[],
): readonly string[] {
  return values.flatMap(({ description, title, value }) => {
    const texts = [title, description].filter(
      (text) => text !== null && text !== value.text,
    );
    return texts.length === 0
      ? []
      : toComment(`- ${value.text ?? ""}: ${texts.join(". ")}`);
  });
}

import { isPortableName } from "../../../../generator/ir/json-name.js";
import type { DocumentPart } from "../../read/document-part.js";
import { toComment } from "../../model/comments.js";
import type { Meta, ModelField } from "../../model/model.js";
import { NameScope, toFieldName, toPascal } from "../../model/names.js";
import { type SchemaView, viewSchema } from "./schema-view.js";
import type { Types } from "./types.js";

/** What the field of a property depends on. */
interface FieldContext {
  /** The name of the struct. */
  readonly owner: string;
  readonly required: ReadonlySet<string>;
  /** The names of its fields. */
  readonly names: NameScope;
  /** Other objects that `allOf` has for the same property. */
  readonly others: readonly DocumentPart[];
}

/**
 * Maps a property to a field. Returns null for a property whose name is empty,
 * which is noted.
 */
function mapField(
  property: DocumentPart,
  { owner, required, names, others }: FieldContext,
  mapper: Types,
): ModelField | null {
  const { notes } = mapper;
  if (property.key === "" || /[\u0000-\u001f]|\p{Cs}/u.test(property.key)) {
    const message = "RIDL has no fields with such a name";
    notes.add("wire", property, message, "the field is left out");
    return null;
  }
  const isSchema =
    property.key === "$schema" &&
    property.get("readOnly")?.isTrue === true &&
    !required.has(property.key);
  if (isSchema) {
    const message =
      "the field names the schema of a response, as huma writes it";
    notes.add("advice", property, message, "the field is left out");
    return null;
  }
  const mapped = mapper.map(property, owner + toPascal(property.key), others);
  const named = namedField(property.key, names);
  return {
    ...named,
    type: mapped.type,
    metadata: [
      ...named.metadata,
      ...mapped.metadata,
      ...describeUse(property, mapped.type, mapper),
    ],
    isOptional:
      !required.has(property.key) ||
      isOneWay(property, others, required, mapper),
    docs: docsOf(property),
    part: property,
  };
}

/** Returns the comment of a field or parameter: its description and default. */
export function docsOf(
  part: DocumentPart,
  schema: DocumentPart | null = part,
): readonly string[] {
  const text =
    part.textOf("description") ?? schema?.textOf("description") ?? "";
  const fallback = schema?.get("default") ?? null;
  const value = fallback?.text ?? null;
  const isText = value !== null && value.length <= 60 && !value.includes("\n");
  const note = isText ? `The default is ${value === "" ? '""' : value}.` : "";
  const isSaid = text.toLowerCase().includes("default");
  const parts = isSaid ? [text] : [text, note];
  return toComment(parts.filter((each) => each !== "").join("\n"));
}

/** The use in which a field with one of these keywords is absent. */
const absentIn = { readOnly: "request", writeOnly: "response" } as const;

/**
 * Returns whether a field is absent from requests or from responses that its
 * struct is part of. If the struct is part of both, the field cannot be required
 * in one of them.
 */
function isOneWay(
  property: DocumentPart,
  others: readonly DocumentPart[],
  required: ReadonlySet<string>,
  { library, notes, uses }: Types,
): boolean {
  const view = viewSchema(property, library, notes, others);
  const marksOf = (key: string): readonly DocumentPart[] =>
    view.all(key).filter(({ isTrue }) => isTrue);
  const key = (["readOnly", "writeOnly"] as const).find(
    (key) => marksOf(key).length > 0,
  );
  const [mark] = key === undefined ? [] : marksOf(key);
  if (key === undefined || mark === undefined) return false;
  const message = `RIDL has no equivalent of \`${key}\``;
  if (!required.has(property.key)) {
    notes.add("advice", mark, message, "it is left out");
    return true;
  }
  const absent = absentIn[key];
  if (!uses.isIn(property, absent)) return false;
  const other = absent === "request" ? "response" : "request";
  if (uses.isIn(property, other)) {
    notes.add("value", mark, message, "the field is optional");
  }
  return true;
}

const scalars =
  /^(?:string|bool|u?int(?:8|16|32|64)?|float(?:32|64)|timestamp)$/u;

/** Returns the lines for `deprecated` and `example`. */
export function describeUse(
  part: DocumentPart,
  type: string,
  { notes }: Types,
  owner: DocumentPart = part,
): readonly Meta[] {
  const [listed] = part.get("examples")?.items() ?? [];
  const example = owner.get("example") ?? part.get("example") ?? listed ?? null;
  const lines: Meta[] = [];
  if (owner.get("deprecated")?.isTrue === true) {
    lines.push({ key: "deprecated", value: "true" });
  }
  const text = example?.text ?? null;
  if (example === null) return lines;
  if (text !== null && scalars.test(type) && !/[\u0000-\u001f]/u.test(text)) {
    lines.push({ key: "example", value: text });
  } else if (example.node.kind !== "null") {
    const message = "RIDL has examples of strings, numbers and booleans only";
    notes.add("advice", example, message, "the example is left out");
  }
  return lines;
}

/** Returns the name of a field, and the line that sets its JSON name. */
export function namedField(
  wire: string,
  names: NameScope,
): Pick<ModelField, "name" | "wire" | "metadata"> {
  const name = names.take(toFieldName(wire));
  if (name === wire) return { name, wire, metadata: [] };
  const key = isPortableName(wire) ? "json" : "jsonName";
  return { name, wire, metadata: [{ key, value: wire }] };
}

/** Maps the properties of an object to the fields of a struct. */
export function mapFields(
  view: SchemaView,
  owner: string,
  types: Types,
): readonly ModelField[] {
  const { properties, required, part } = view;
  const names = new NameScope();
  const missing = [...required].filter((name) => !properties.has(name));
  const fields = [...properties.values()].flatMap(
    (property) =>
      mapField(
        property,
        { owner, required, names, others: view.objectsBeside(property) },
        types,
      ) ?? [],
  );
  const held = heldType(view, owner, types);
  const others = missing
    .filter((wire) => wire !== "")
    .map((wire): ModelField => ({
      type: held ?? "any",
      ...namedField(wire, names),
      isOptional: false,
      docs: [],
      part,
    }));
  for (const key of ["minProperties", "maxProperties"]) {
    const limit = view.get(key);
    if (limit === null) continue;
    const message = `\`${key}\` does not apply to a struct in RIDL`;
    types.notes.add("value", limit, message, "values are not checked for it");
  }
  return [...fields, ...others, ...extraField(view, held, names, types)];
}

/** Returns the schema of members that no property declares. */
export function heldBy(view: SchemaView): DocumentPart | null {
  return view.get("additionalProperties") ?? view.get("unevaluatedProperties");
}

/** Returns the type of the members that no property declares, if any is known. */
function heldType(
  view: SchemaView,
  owner: string,
  types: Types,
): string | null {
  const values = heldBy(view);
  if (values === null || values.isFalse) return null;
  return values.isTrue ? "any" : types.nameOf(values, `${owner}Extra`);
}

/** Returns the field of the members that no property declares. */
function extraField(
  view: SchemaView,
  held: string | null,
  names: NameScope,
  { notes }: Types,
): readonly ModelField[] {
  const values = heldBy(view);
  if (values === null) return [];
  if (held === null) {
    const message = `\`${values.key}: false\` rejects unknown members`;
    notes.add("advice", values, message, "they are ignored");
    return [];
  }
  const name = names.take("extra");
  return [
    {
      name,
      wire: name,
      type: `map<string,${held}>`,
      isOptional: true,
      metadata: [{ key: "extra", value: "true" }],
      docs: [],
      part: values,
    },
  ];
}

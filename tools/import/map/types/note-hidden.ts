import type { NoteLog } from "../../notes/note.js";
import type { DocumentFiles } from "../../read/document-files.js";
import type { DocumentPart } from "../../read/document-part.js";
import { implies } from "./implies.js";
import { propertiesOf, type SchemaView } from "./schema-view.js";

/** Keywords of which only one value counts, if layers have several. */
const single = [
  ..."enum const pattern format items additionalProperties".split(" "),
  ..."contentEncoding unevaluatedProperties".split(" "),
];

/** Limits that a schema without a type has for each type. */
const ofTypes = [
  ..."minLength maxLength pattern minimum maximum items minItems".split(" "),
  ..."exclusiveMinimum exclusiveMaximum maxItems uniqueItems".split(" "),
  ..."minProperties maxProperties required contentEncoding".split(" "),
];

/** Formats that are part of a type in RIDL. */
const formats: ReadonlySet<string | null> = new Set([
  ..."date-time byte uuid date int8 int16 int32 int64".split(" "),
  ..."uint8 uint16 uint32 uint64".split(" "),
]);

/** Adds notes for what other layers of `allOf` say about the same thing. */
export function noteHidden(
  view: SchemaView,
  library: DocumentFiles,
  notes: NoteLog,
): void {
  const add = (part: DocumentPart): void => {
    const message = `\`allOf\` has several values of \`${part.key}\``;
    const instead = "values are not checked for this one";
    notes.add("value", part, message, instead);
  };
  const addOthers = (
    parts: readonly DocumentPart[],
    used: DocumentPart | null | undefined,
  ): void => {
    for (const part of parts) {
      if (used && part.id !== used.id && !implies(used, part, library)) {
        add(part);
      }
    }
  };
  for (const key of single) addOthers(view.all(key), view.get(key));
  for (const part of view.conflicts) {
    const message = "`allOf` has types that no value has together";
    notes.add("value", part, message, "values are not checked for this one");
  }
  for (const values of view.all("additionalProperties")) {
    if (isForOthers(values, view, library)) addForOthers(values, notes);
  }
  const { properties } = view;
  for (const [key, schemas] of view.propertySchemas) {
    const used = properties.get(key);
    const isMerged = used !== undefined && view.objectsBeside(used).length > 0;
    if (schemas.length > 1 && !isMerged) addOthers(schemas, used);
  }
}

/**
 * Whether the schema of additional properties also applies to properties of other
 * layers, and excludes some of their values.
 */
function isForOthers(
  values: DocumentPart,
  view: SchemaView,
  library: DocumentFiles,
): boolean {
  if (values.node.kind !== "map" || values.entries().length === 0) return false;
  const own = view.layers.find(
    (layer) => layer.get("additionalProperties")?.id === values.id,
  );
  const declared = new Set(
    own && propertiesOf(own, library).map(({ key }) => key),
  );
  return [...view.propertySchemas].some(
    ([key, schemas]) =>
      !declared.has(key) &&
      !schemas.some((each) => implies(each, values, library)),
  );
}

function addForOthers(values: DocumentPart, notes: NoteLog): void {
  const message =
    "`additionalProperties` also applies to the properties of the others in `allOf`";
  notes.add("value", values, message, "their values are not checked for it");
}

/** Adds notes for limits of a schema without a type. */
export function noteUntyped(view: SchemaView, notes: NoteLog): void {
  const format = view.get("format");
  const limits = ofTypes.flatMap((key) => view.get(key) ?? []);
  const isKnown = format !== null && formats.has(format.text);
  for (const part of isKnown ? [...limits, format] : limits) {
    const message = `\`${part.key}\` needs a \`type\``;
    notes.add("value", part, message, "any value is accepted");
  }
}

/** Limits that RIDL does not have for a union. */
const besideUnions = [
  ..."minLength maxLength pattern format minimum maximum items".split(" "),
  ..."exclusiveMinimum exclusiveMaximum minItems maxItems".split(" "),
  ..."uniqueItems minProperties maxProperties".split(" "),
];

/** Adds notes for limits beside the variants of a union. */
export function noteBesideUnion(
  view: SchemaView,
  variants: readonly SchemaView[],
  notes: NoteLog,
): void {
  const add = (part: DocumentPart | null): void => {
    if (part === null) return;
    const message = `RIDL has no \`${part.key}\` for a union`;
    notes.add("value", part, message, "values are not checked for it");
  };
  for (const key of besideUnions) add(view.get(key));
  const values = view.get("additionalProperties");
  if (values?.node.kind === "map") add(values);
  const isImplied = [...view.required].every((name) =>
    variants.every(({ required }) => required.has(name)),
  );
  if (!isImplied) add(view.get("required"));
  const { types } = view;
  const fits = variants.every((variant) => {
    const isObject = variant.properties.size > 0;
    const own =
      isObject && variant.types.length === 0 ? ["object"] : variant.types;
    return own.length > 0 && own.every((type) => hasType(types, type));
  });
  if (types.length > 0 && !fits) add(view.get("type"));
}

function hasType(types: readonly string[], type: string): boolean {
  return (
    types.includes(type) || (type === "integer" && types.includes("number"))
  );
}

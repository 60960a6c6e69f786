import type {
  AliasDeclaration,
  EnumDeclaration,
  EnumMember,
  Field,
  Item,
  Metadata,
  TypeExpression,
  Word,
} from "../ast.js";
import { listNames } from "../../diagnostics/names.js";
import { Cursor } from "../cursor.js";
import { warnJsonOptions } from "../expect.js";
import { parseType } from "../type-expression.js";
import { withVariants } from "../variants.js";
import {
  type FormObject,
  isWord,
  refuse,
  toLiteral,
  toMetadataValue,
  toName,
} from "./form-object.js";

/** The keys of an entry of `types`. */
export const typeKeys = ["kind", "name", "type", "fields", "meta", "comments"];
const fieldKeys = ["name", "type", "optional", "value", "meta", "comments"];

/** Reads one entry of `types`. Returns null after a diagnostic. */
export function readTypeDeclaration(object: FormObject): Item | null {
  const kind = object.requireText("kind");
  const name = object.requireText("name");
  if (!kind || !name) return null;
  const read = readers.get(kind.text);
  if (read) return read(object, toName(name));
  const message = `unknown type kind \`${kind.text}\``;
  const help = `the kinds are ${listNames([...readers.keys()])}`;
  object.reporter.error("invalid-form", kind.span, message, { help });
  return null;
}

/** Reads each kind of type. */
const readers = new Map<
  string,
  (object: FormObject, name: Word) => Item | null
>([
  ["enum", readEnum],
  ["alias", readAlias],
  ["struct", readStruct],
]);

function readStruct(object: FormObject, name: Word): Item {
  const fields = object.objects("fields", "a field", fieldKeys, readField);
  return { kind: "struct", ...headOf(object), name, fields };
}

/** Reads the common parts of declarations. Only methods have annotations. */
function headOf(
  object: FormObject,
): Pick<Field, "span" | "docs" | "annotations"> {
  return { span: object.span, docs: object.docs(), annotations: [] };
}

function readField(object: FormObject): Field | null {
  const name = object.requireText("name");
  const type = readType(object);
  if (!name || !type) return null;
  return {
    kind: "field",
    ...headOf(object),
    name: toName(name),
    isOptional: object.flag("optional"),
    type,
    metadata: readMetadata(object),
  };
}

function readAlias(object: FormObject, name: Word): AliasDeclaration | null {
  const type = readType(object);
  if (type === null) return null;
  const metadata = readMetadata(object);
  return { kind: "alias", ...headOf(object), name, type, metadata };
}

function readEnum(object: FormObject, name: Word): EnumDeclaration | null {
  const base = object.requireText("type");
  if (base === undefined) return null;
  const members = object.objects(
    "fields",
    "an enum member",
    fieldKeys,
    readEnumMember,
  );
  return { kind: "enum", ...headOf(object), name, base: toName(base), members };
}

function readEnumMember(object: FormObject): EnumMember | null {
  const name = object.requireText("name");
  if (!name) return null;
  const value = object.text("value");
  return {
    kind: "enum-member",
    span: object.span,
    docs: object.docs(),
    name: toName(name),
    ...(value && { value: toLiteral(value) }),
  };
}

/** Reads `meta`, a list of objects with one key each. */
export function readMetadata(object: FormObject): Metadata[] {
  const { reporter } = object;
  return object.list("meta").flatMap((node) => {
    if (node.kind !== "map") {
      refuse(reporter, node, "an object in `meta`");
      return [];
    }
    return [...node.entries.values()].flatMap(({ key, value }) => {
      if (value.kind !== "text") {
        refuse(reporter, value, `the value of \`${key.text}\` to be a string`);
        return [];
      }
      if (!isWord(key, "a metadata key", reporter)) return [];
      const entry = { key: toName(key), value: toMetadataValue(value) };
      warnJsonOptions(reporter, entry);
      const span = { start: key.span.start, end: value.span.end };
      return withVariants(reporter, { kind: "metadata", span, ...entry });
    });
  });
}

/** Reads the `type` of an object. Returns null after a diagnostic. */
export function readType(object: FormObject): TypeExpression | null {
  const text = object.requireText("type");
  if (text === undefined) return null;
  const { reporter } = object;
  const { source, lines } = reporter;
  if (!text.isVerbatim) {
    const message = "a type cannot contain escapes or line breaks";
    reporter.error("invalid-form", text.span, message);
    return null;
  }
  const cursor = new Cursor(source, text.span, lines);
  const type = parseType(cursor);
  for (const diagnostic of cursor.diagnostics) {
    reporter.diagnostics.push(diagnostic);
  }
  if (type === null || type.span.end === text.span.end) return type;
  const rest = { start: type.span.end, end: text.span.end };
  const message = `unexpected text after the type \`${source.text.slice(type.span.start, type.span.end)}\``;
  reporter.error("invalid-form", rest, message);
  return null;
}

import type {
  AliasDeclaration,
  EnumDeclaration,
  EnumMember,
  Field,
  Item,
  Metadata,
  StructDeclaration,
  TypeExpression,
  Word,
} from "../ast.js";
import { Cursor } from "../cursor.js";
import { parseType } from "../type-expression.js";
import type { FormNode, FormText } from "./form-node.js";
import {
  describe,
  FormObject,
  toLiteral,
  toMetadataValue,
  toName,
} from "./form-object.js";
import type { Reporter } from "../reporter.js";

const typeKeys = ["kind", "name", "type", "fields", "meta", "comments"];
const fieldKeys = ["name", "type", "optional", "value", "meta", "comments"];

/** Reads one entry of `types`; null after a diagnostic. */
export function readTypeDeclaration(
  reporter: Reporter,
  node: FormNode,
): Item | null {
  const object = FormObject.read(reporter, node, "a type", typeKeys);
  const kind = object?.requireText("kind");
  const name = object?.requireText("name");
  if (!object || !kind || !name) return null;
  switch (kind.text) {
    case "enum":
      return readEnum(reporter, object, toName(name));
    case "alias":
      return readAlias(reporter, object, toName(name));
    case "struct":
      return readStruct(reporter, object, toName(name));
    default: {
      const message = `unknown kind \`${kind.text}\` of a type`;
      const help = "the kinds are `enum`, `alias` and `struct`";
      reporter.error("invalid-form", kind.span, message, { help });
      return null;
    }
  }
}

function readStruct(
  reporter: Reporter,
  object: FormObject,
  name: Word,
): StructDeclaration {
  const fields = object.list("fields").flatMap((node) => {
    const field = readField(reporter, node);
    return field ? [field] : [];
  });
  const { span } = object;
  const docs = object.docs();
  return { kind: "struct", span, docs, annotations: [], name, fields };
}

function readField(reporter: Reporter, node: FormNode): Field | null {
  const object = FormObject.read(reporter, node, "a field", fieldKeys);
  const name = object?.requireText("name");
  const type = object && readType(reporter, object.requireText("type"));
  if (!object || !name || !type) return null;
  return {
    kind: "field",
    span: object.span,
    docs: object.docs(),
    annotations: [],
    name: toName(name),
    isOptional: object.flag("optional"),
    type,
    metadata: readMetadata(reporter, object),
  };
}

function readAlias(
  reporter: Reporter,
  object: FormObject,
  name: Word,
): AliasDeclaration | null {
  const type = readType(reporter, object.requireText("type"));
  if (type === null) return null;
  const { span } = object;
  const docs = object.docs();
  const metadata = readMetadata(reporter, object);
  return { kind: "alias", span, docs, annotations: [], name, type, metadata };
}

function readEnum(
  reporter: Reporter,
  object: FormObject,
  name: Word,
): EnumDeclaration | null {
  const base = object.requireText("type");
  if (base === undefined) return null;
  const members = object.list("fields").flatMap((node) => {
    const member = readEnumMember(reporter, node);
    return member ? [member] : [];
  });
  return {
    kind: "enum",
    span: object.span,
    docs: object.docs(),
    annotations: [],
    name,
    base: toName(base),
    members,
  };
}

function readEnumMember(reporter: Reporter, node: FormNode): EnumMember | null {
  const object = FormObject.read(reporter, node, "an enum member", fieldKeys);
  const name = object?.requireText("name");
  if (!object || !name) return null;
  const value = object.text("value");
  const { span } = object;
  const docs = object.docs();
  const member = {
    kind: "enum-member",
    span,
    docs,
    name: toName(name),
  } as const;
  return value ? { ...member, value: toLiteral(value) } : member;
}

/** `meta` is a list of objects with one key each. */
function readMetadata(reporter: Reporter, object: FormObject): Metadata[] {
  return object.list("meta").flatMap((node) => {
    if (node.kind !== "map") {
      const message = `expected an object in \`meta\`, got ${describe(node)}`;
      reporter.error("invalid-form", node.span, message);
      return [];
    }
    return [...node.entries.values()].flatMap(({ key, value }) => {
      if (value.kind !== "text") {
        const message = `expected the value of \`${key.text}\` as a string, got ${describe(value)}`;
        reporter.error("invalid-form", value.span, message);
        return [];
      }
      return {
        kind: "metadata" as const,
        span: { start: key.span.start, end: value.span.end },
        key: toName(key),
        value: toMetadataValue(value),
      };
    });
  });
}

/** Reads a type from its text; null after a diagnostic, or without a text. */
export function readType(
  reporter: Reporter,
  text: FormText | undefined,
): TypeExpression | null {
  if (text === undefined) return null;
  const { source, lines } = reporter;
  if (!text.isVerbatim) {
    const message = "a type is written without escapes and line breaks";
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

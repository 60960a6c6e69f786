import type {
  DocLines,
  Metadata,
  StructDeclaration,
  TypeExpression,
} from "../../generator/1-parse/ast.js";
import { lookUpIgnoringCase } from "../../generator/2-check/program/reach.js";
import type {
  DeclaredType,
  Scope,
} from "../../generator/2-check/program/program.js";
import type { FieldJson, MetaJson, TypeJson } from "./schema-json.js";

/** Converts a declared type. */
export function typeToJson({ syntax }: DeclaredType, scope: Scope): TypeJson {
  const name = syntax.name.text;
  switch (syntax.kind) {
    case "alias":
      return {
        kind: "alias",
        name,
        type: printType(syntax.type, scope),
        ...metaOf(syntax.metadata),
        ...commentsOf(syntax.docs),
      };
    case "enum": {
      const isString = syntax.base.text === "string";
      const fields = syntax.members.map((member, index) => ({
        ...commentsOf(member.docs),
        name: member.name.text,
        value:
          member.value?.text ?? (isString ? member.name.text : String(index)),
      }));
      return { kind: "enum", name, type: syntax.base.text, ...listOf(fields) };
    }
    case "struct":
      return {
        kind: "struct",
        name,
        ...listOf(fieldsToJson(syntax, scope)),
        ...commentsOf(syntax.docs),
      };
  }
}

function fieldsToJson(
  { fields }: StructDeclaration,
  scope: Scope,
): readonly FieldJson[] {
  return fields.map((field) => ({
    ...commentsOf(field.docs),
    name: field.name.text,
    type: printType(field.type, scope),
    ...(field.isOptional && { optional: true }),
    ...metaOf(field.metadata),
  }));
}

/** Returns the key `fields`, or nothing if there are no fields. */
function listOf(fields: readonly FieldJson[]): Pick<TypeJson, "fields"> {
  return fields.length > 0 ? { fields } : {};
}

function commentsOf(docs: DocLines): Pick<TypeJson, "comments"> {
  return docs.length > 0 ? { comments: docs } : {};
}

/** Returns the key `meta`, or nothing if there is no metadata. */
export function metaOf(metadata: readonly Metadata[]): Pick<TypeJson, "meta"> {
  const meta: MetaJson[] = metadata.map(({ key, value }) => ({
    [key.text]: value.text,
  }));
  return meta.length > 0 ? { meta } : {};
}

/** Prints a type as webrpc does, e.g. `map<string,[]User>`. */
export function printType(type: TypeExpression, scope: Scope): string {
  switch (type.kind) {
    case "name":
      return type.name.text;
    case "list":
      return `[]${printType(type.element, scope)}`;
    case "map": {
      const { key } = type;
      const declared =
        key.kind === "name"
          ? lookUpIgnoringCase(scope, key.name.text)
          : undefined;
      const name = declared?.syntax.name.text ?? printType(key, scope);
      return `map<${name},${printType(type.value, scope)}>`;
    }
  }
}

import type {
  Argument,
  EnumDeclaration,
  EnumMember as EnumMemberSyntax,
  Field as FieldSyntax,
  StructDeclaration,
  TypeExpression,
} from "../1-parse/ast.js";
import type { LoadedDocument } from "../1-parse/load/load-documents.js";
import { deprecationOf } from "../2-check/notation/deprecation.js";
import {
  isExtra,
  isUnion,
  jsonNameOf,
  metadataValue,
  variantsOf,
  type HasMetadata,
} from "../2-check/notation/metadata.js";
import { wireValueOf } from "../2-check/notation/wire-values.js";
import { readConstraints } from "../2-check/program/constraints.js";
import type {
  DeclaredType,
  Program,
  Scope,
} from "../2-check/program/program.js";
import { lookUpIgnoringCase } from "../2-check/program/reach.js";
import type {
  EnumMember,
  Field,
  TypeDeclaration,
  TypeReference,
  MetadataEntry,
} from "../ir/contract.js";
import { isIntegerName, scalarNames } from "../ir/scalars.js";
import { invariant } from "../ir/invariant.js";
import { lowerDocs, noDocs } from "./docs.js";

/** A document, and what its names refer to. */
export interface DocumentScope {
  readonly program: Pick<Program, "scopes">;
  readonly document: LoadedDocument;
  readonly scope: Scope;
}

/** Returns a document of a program with its scope. */
export function scopeIn(
  program: DocumentScope["program"],
  document: LoadedDocument,
): DocumentScope {
  const scope = program.scopes.get(document.path);
  invariant(scope !== undefined, `no scope for ${document.path}`);
  return { program, document, scope };
}

/**
 * Lowers one declared type. `host` is null if another document imports the
 * type's document.
 */
export function lowerType(
  { syntax }: DeclaredType,
  from: DocumentScope,
  host: string | null,
): TypeDeclaration {
  const { name, docs } = syntax;
  const head = { name: name.text, docs: lowerDocs(docs), host };
  switch (syntax.kind) {
    case "alias": {
      const shared = {
        ...head,
        constraints: readConstraints(from.program, from.document, syntax),
        title: metadataValue(syntax, "title") ?? null,
        isNullable: metadataValue(syntax, "nullable") === "true",
        metadata: lowerMetadata(syntax),
      };
      if (isUnion(syntax)) {
        return {
          kind: "union",
          ...shared,
          variants: variantsOf(syntax).map(({ type }) =>
            lowerReference(type, from.scope),
          ),
          tag: metadataValue(syntax, "tag") ?? null,
          isOpen: metadataValue(syntax, "open") === "true",
          choice: [],
        };
      }
      return {
        kind: "alias",
        ...shared,
        type: lowerReference(syntax.type, from.scope),
        known: metadataValue(syntax, "known") ?? null,
        acceptsInteger: metadataValue(syntax, "accept") === "integer",
      };
    }
    case "enum": {
      const base = syntax.base.text;
      invariant(base === "string" || isIntegerName(base), `enum base ${base}`);
      const members = syntax.members.map((member, index) =>
        lowerMember(syntax, member, index),
      );
      return { kind: "enum", ...head, base, members };
    }
    case "struct":
      return { kind: "struct", ...head, fields: lowerFields(syntax, from) };
  }
}

function lowerMember(
  owner: EnumDeclaration,
  member: EnumMemberSyntax,
  index: number,
): EnumMember {
  const name = member.name.text;
  // As in webrpc, the default is the position, not the previous value plus one.
  const unwritten = owner.base.text === "string" ? name : String(index);
  return {
    name,
    value: member.value?.text ?? unwritten,
    jsonValue: wireValueOf(owner, member),
    docs: lowerDocs(member.docs),
  };
}

/**
 * Lowers the fields that are on the wire, i.e. all fields without `json = -`.
 */
function lowerFields(
  syntax: StructDeclaration,
  from: DocumentScope,
): readonly Field[] {
  return syntax.fields.flatMap((field) => {
    const jsonName = jsonNameOf(field);
    return jsonName === null ? [] : [lowerField(field, jsonName, from)];
  });
}

function lowerField(
  field: FieldSyntax,
  jsonName: string,
  from: DocumentScope,
): Field {
  return {
    ...lowerTyped(field, jsonName, from),
    docs: lowerDocs(field.docs),
  };
}

/** Lowers what fields and arguments have in common. */
function lowerTyped(
  field: FieldSyntax | Argument,
  jsonName: string,
  { document, program, scope }: DocumentScope,
): Field {
  return {
    kind: "field",
    name: field.name.text,
    jsonName,
    docs: noDocs,
    type: lowerReference(field.type, scope),
    isOptional: field.isOptional,
    isNullable: metadataValue(field, "nullable") === "true",
    isSensitive: metadataValue(field, "sensitive") === "true",
    isExtra: isExtra(field),
    header: metadataValue(field, "header") ?? null,
    deprecated: deprecationOf(field),
    constraints: readConstraints(program, document, field),
    metadata: lowerMetadata(field),
  };
}

/** Creates a field with only a name and a type. */
export function plainField(name: string, type: TypeReference): Field {
  return {
    kind: "field",
    name,
    jsonName: name,
    docs: noDocs,
    type,
    isOptional: false,
    isNullable: false,
    isSensitive: false,
    isExtra: false,
    header: null,
    deprecated: null,
    constraints: {},
    metadata: noMetadata,
  };
}

/** Converts the arguments of a message that are on the wire to fields. */
export function lowerArguments(
  list: readonly Argument[],
  from: DocumentScope,
): readonly Field[] {
  return list.flatMap((argument) => {
    const jsonName = jsonNameOf(argument);
    return jsonName === null ? [] : [lowerTyped(argument, jsonName, from)];
  });
}

/** Shared references to core types, which most fields have. */
const coreTypes: ReadonlyMap<string, TypeReference> = new Map(
  scalarNames.map((name) => [name, { kind: "scalar", name }]),
);

/** Lowers a type, with its names resolved. */
export function lowerReference(
  type: TypeExpression,
  scope: Scope,
): TypeReference {
  switch (type.kind) {
    case "name":
      return lowerName(type.name.text, scope);
    case "list":
      return { kind: "list", element: lowerReference(type.element, scope) };
    case "map":
      return {
        kind: "map",
        key: lowerKey(type.key, scope),
        value: lowerReference(type.value, scope),
      };
  }
}

function lowerKey(type: TypeExpression, scope: Scope): TypeReference {
  if (type.kind !== "name") return lowerReference(type, scope);
  const found = lookUpIgnoringCase(scope, type.name.text);
  return lowerName(found?.syntax.name.text ?? type.name.text, scope);
}

function lowerName(name: string, scope: Scope): TypeReference {
  const coreType = coreTypes.get(name);
  if (coreType !== undefined) return coreType;
  // Using the declaration's own string makes later lookups faster.
  const declared = scope.typesByName.get(name)?.syntax.name.text;
  return { kind: "reference", name: declared ?? name };
}

/** Shared by all declarations without metadata. */
const noMetadata: readonly MetadataEntry[] = [];

function lowerMetadata(owner: HasMetadata): readonly MetadataEntry[] {
  if (owner.metadata.length === 0) return noMetadata;
  return owner.metadata.map(({ key, value }) => ({
    key: key.text,
    value: value.text,
  }));
}

import type {
  AliasDeclaration,
  Field,
  StructDeclaration,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { ErrorMember, ErrorRole } from "../../ir/contract.js";
import { errorRoles } from "../../ir/errors-of.js";
import {
  findMetadata,
  jsonNameOf,
  metadataValue,
} from "../notation/metadata.js";
import { structUnionOf } from "../notation/unions.js";
import { wireValueOf } from "../notation/wire-values.js";
import { limitsOf } from "./constraints.js";
import { literalsOf } from "./literals-of.js";
import type { Declared, Scope } from "./program.js";
import { findType } from "./reach.js";
import {
  aliasesOf,
  isNullableType,
  resolveType,
  type ResolvedType,
  type Scoped,
} from "./resolve-type.js";

/** The key of an alias that makes a struct the body of a host's errors. */
export const errorBodyKey = "errorBody";

/** A field with a role, or a field that has only one possible value. */
export interface FoundMember {
  readonly member: ErrorMember;
  readonly field: Declared<Field>;
}

/** What a server writes into a struct that is the body of an error. */
export interface ErrorMembers {
  readonly found: readonly FoundMember[];
  /** Required fields whose value only a handler knows. */
  readonly unfilled: readonly Declared<Field>[];
}

const none: ErrorMembers = { found: [], unfilled: [] };

/** The maximum number of names and list items from the body to a member. */
const maxDepth = 8;

/**
 * Finds the members that a server fills in: those with roles, in the struct and
 * in the structs that it contains, and required members with one possible value.
 */
export function findErrorMembers(
  program: Scoped,
  struct: Declared<StructDeclaration>,
): ErrorMembers {
  return membersIn(program, struct, [], new Set());
}

/** Returns the aliases with `+ errorBody` that a scope contains, in order. */
export function errorBodiesIn({
  types,
}: Pick<Scope, "types">): readonly Declared<AliasDeclaration>[] {
  return types.flatMap(({ syntax, document }) =>
    syntax.kind === "alias" && findMetadata(syntax, errorBodyKey)
      ? { syntax, document }
      : [],
  );
}

/**
 * Returns the struct that an alias or a field refers to, or null. A struct that
 * is a union has no fields of its own.
 */
export function structOf(
  type: ResolvedType | null,
): Declared<StructDeclaration> | null {
  if (type?.kind !== "struct") return null;
  const { document, syntax } = type.declared;
  if (syntax.kind !== "struct" || structUnionOf(syntax) !== null) return null;
  return { document, syntax };
}

/** Returns the role of a field, or null if it has none. */
export function roleOf(field: Field): ErrorRole | null {
  const value = metadataValue(field, "error");
  return errorRoles.find((role) => role === value) ?? null;
}

function membersIn(
  program: Scoped,
  { document, syntax }: Declared<StructDeclaration>,
  path: ErrorMember["path"],
  visited: Set<StructDeclaration>,
): ErrorMembers {
  if (visited.has(syntax) || path.length > maxDepth) return none;
  visited.add(syntax);
  const all = syntax.fields.map((field) => {
    const name = jsonNameOf(field);
    return name === null
      ? none
      : membersOfField(
          program,
          { document, syntax: field },
          [...path, name],
          visited,
        );
  });
  return {
    found: all.flatMap(({ found }) => found),
    unfilled: all.flatMap(({ unfilled }) => unfilled),
  };
}

function membersOfField(
  program: Scoped,
  field: Declared<Field>,
  path: ErrorMember["path"],
  visited: Set<StructDeclaration>,
): ErrorMembers {
  const { document, syntax } = field;
  const type = resolveType(program, document, syntax.type);
  const role = roleOf(syntax);
  const found: FoundMember[] = [];
  if (role !== null) {
    const member = memberOfRole(program, field, role, type, path);
    found.push({ field, member });
    // Not every error has a cause, or is a member of an enum.
    const isCertain = member.names === null || member.isOpen;
    if (role !== "cause" && isCertain) return { found, unfilled: [] };
  }
  const inner = membersInside(program, type, path, visited);
  if (inner?.found.some(({ member }) => member.role !== null)) return inner;
  if (syntax.isOptional) return { found, unfilled: [] };
  const value = onlyValue(program, field, type);
  if (value !== undefined) {
    const rest = { names: null, isOpen: false, isText: false };
    found.push({ field, member: { path, role: null, ...rest, value } });
    return { found, unfilled: [] };
  }
  if (type?.kind === "struct" && inner?.unfilled.length === 0) return inner;
  return { found, unfilled: type === null ? [] : [field] };
}

/** Returns the members of a struct or of the first item of a list of structs. */
function membersInside(
  program: Scoped,
  type: ResolvedType | null,
  path: ErrorMember["path"],
  visited: Set<StructDeclaration>,
): ErrorMembers | null {
  const isList = type?.kind === "list";
  const held = isList
    ? resolveType(program, type.document, type.element)
    : type;
  const struct = structOf(held);
  if (struct === null || visited.has(struct.syntax)) return null;
  return membersIn(program, struct, isList ? [...path, 0] : path, visited);
}

function memberOfRole(
  program: Scoped,
  { document, syntax }: Declared<Field>,
  role: ErrorRole,
  type: ResolvedType | null,
  path: ErrorMember["path"],
): ErrorMember {
  const isText = type?.kind === "scalar" && type.name === "string";
  const member = { path, value: null, isOpen: false, isText, names: null };
  if (role !== "name" && role !== "code") return { ...member, role };
  const values = enumOf(program, document, syntax, type);
  if (values === null) return { ...member, role };
  const { syntax: declared } = values;
  const names = Object.fromEntries(
    declared.members.map((each) => [
      each.name.text,
      wireValueOf(declared, each),
    ]),
  );
  // The members of an enum are the names of errors.
  const isOpen = type?.kind !== "enum";
  return { ...member, role: "name", names, isOpen };
}

/** Returns the enum of a field's type, or of its known values. */
export function enumOf(
  program: Scoped,
  document: LoadedDocument,
  { type: written }: Pick<Field, "type">,
  type: ResolvedType | null,
) {
  const known = aliasesOf(program, document, written).find(({ syntax }) =>
    findMetadata(syntax, "known"),
  );
  const declared =
    type?.kind === "enum"
      ? type.declared
      : known &&
        findType(program, known.document, metadataValue(known.syntax, "known"));
  if (declared?.syntax.kind !== "enum") return null;
  return { document: declared.document, syntax: declared.syntax };
}

/** Returns the value that a required field has if the error says nothing. */
function onlyValue(
  program: Scoped,
  { document, syntax }: Declared<Field>,
  type: ResolvedType | null,
): ErrorMember["value"] | undefined {
  const isNullable =
    metadataValue(syntax, "nullable") === "true" ||
    isNullableType(program, document, syntax.type);
  if (isNullable) return null;
  const literals = literalsOf(program, document, syntax) ?? [];
  if (literals.length === 1) return literals[0];
  const limits = limitsOf(program, { document, syntax });
  const isLimited = limits.some(
    ({ minItems = 0, minProperties = 0 }) => minItems + minProperties > 0,
  );
  if (isLimited) return undefined;
  if (type?.kind === "list") return [];
  return type?.kind === "map" ? {} : undefined;
}

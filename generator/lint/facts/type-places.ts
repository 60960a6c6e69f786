import type { AliasDeclaration, Metadata } from "../../1-parse/ast.js";
import type { TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { lookUpLoosely } from "../../2-check/program/reach.js";
import type {
  DeclaredType,
  Program,
  TypeOwner,
} from "../../2-check/program/program.js";

/** One type on the way from a field to the scalar or struct at its end. */
export interface TypePlace {
  readonly type: TypeExpression;
  readonly document: LoadedDocument;
  /** The field, argument or alias in which it is written. */
  readonly owner: TypeOwner;
  /** `+ key = value` lines that hold for values of this type here. */
  readonly limits: readonly Metadata[];
}

/** The struct or enum at the end of the way, and the way. */
export interface TypeTrail {
  readonly places: readonly TypePlace[];
  readonly end: DeclaredType | null;
}

/**
 * Follows a type inwards, through lists, values of maps and aliases: all types
 * that a value of it consists of, outermost first. Limits of a field hold for
 * the type itself; elements of a list can be limited by an alias only.
 */
export function followType(
  program: Program,
  document: LoadedDocument,
  owner: TypeOwner,
): TypeTrail {
  const places: TypePlace[] = [];
  const seen = new Set<DeclaredType>();
  let place: TypePlace = {
    type: owner.type,
    document,
    owner,
    limits: limitsOf(owner),
  };
  for (;;) {
    places.push(place);
    const { type } = place;
    if (type.kind !== "name") {
      const inner = type.kind === "list" ? type.element : type.value;
      place = { ...place, type: inner, limits: [] };
      continue;
    }
    const scope = program.scopes.get(place.document.path);
    const declared = scope && lookUpLoosely(scope, type.name.text);
    if (declared === undefined || seen.has(declared))
      return { places, end: null };
    const { syntax } = declared;
    if (syntax.kind !== "alias") return { places, end: declared };
    seen.add(declared);
    place = placeOfAlias(syntax, declared.document, place.limits);
  }
}

function placeOfAlias(
  alias: AliasDeclaration,
  document: LoadedDocument,
  outer: readonly Metadata[],
): TypePlace {
  const limits = [...outer, ...alias.metadata];
  return { type: alias.type, document, owner: alias, limits };
}

function limitsOf(owner: TypeOwner): readonly Metadata[] {
  return owner.kind === "argument" ? [] : owner.metadata;
}

/** Whether one of the limits has one of the keys. */
export function hasLimit(
  { limits }: Pick<TypePlace, "limits">,
  ...keys: readonly string[]
): boolean {
  return limits.some(({ key }) => keys.includes(key.text));
}

import type { Field, TypeExpression, Variant } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { scalars } from "../../ir/scalars.js";
import {
  joinShapes,
  jsonKinds,
  shapeOfKinds,
  shapeOfMap,
  shapeOfObject,
  type VariantShape,
} from "../../ir/variant-shape.js";
import type { AllowedValue } from "../../ir/contract.js";
import { rememberEach } from "../../ir/remember.js";
import {
  isExtra,
  jsonNameOf,
  metadataValue,
  variantsOf,
} from "../notation/metadata.js";
import { structUnionOf } from "../notation/unions.js";
import { readAllowedValue } from "./allowed-values.js";
import { literalsOf } from "./literals-of.js";
import type { DeclaredType, Program, TypeSyntax } from "./program.js";
import {
  aliasesOf,
  isByteType,
  type ResolvedType,
  resolveType,
  type Scoped,
} from "./resolve-type.js";

/** Maximum nesting of unions in unions. Deeper ones are not followed. */
export const maxUnionDepth = 8;

/** What is known about a union. */
interface UnionFacts {
  readonly shape: VariantShape;
  /** How deep unions are nested in it. */
  readonly depth: number;
}

/** Caches the facts about a program's unions. */
const knownFacts = rememberEach(
  (_: Program) => new Map<TypeSyntax, UnionFacts>(),
);

/**
 * Returns what tells the values of a type from others, or null for an unknown
 * type.
 */
export function shapeOf(
  program: Program,
  document: LoadedDocument,
  type: TypeExpression,
  depth = 0,
): VariantShape | null {
  const resolved = resolveType(program, document, type);
  if (resolved === null || depth > maxUnionDepth) return null;
  switch (resolved.kind) {
    case "scalar": {
      const acceptsInteger = aliasesOf(program, document, type).some(
        ({ syntax }) => metadataValue(syntax, "accept") === "integer",
      );
      const { wire } = scalars[resolved.name];
      return shapeOfKinds(jsonKinds(wire, acceptsInteger));
    }
    case "enum":
      return shapeOfKinds(new Set(["string"]));
    case "list": {
      const isText = isByteType(program, resolved.document, resolved.element);
      return shapeOfKinds(new Set([isText ? "string" : "array"]));
    }
    case "map":
      return shapeOfMap;
    case "struct":
      return shapeOfStruct(resolved.declared);
    case "union":
      return factsOf(program, resolved.declared, depth).shape;
  }
}

/** Returns how deep unions are nested in a union, itself included. */
export function unionDepth(program: Program, union: DeclaredType): number {
  return factsOf(program, union).depth;
}

function factsOf(
  program: Program,
  { document, syntax }: DeclaredType,
  depth = 0,
): UnionFacts {
  const facts = knownFacts(program);
  const known = facts.get(syntax);
  if (known !== undefined) return known;
  // A union that contains itself is reported as a cycle.
  const none = { shape: joinShapes([], null), depth: 0 };
  facts.set(syntax, none);
  if (syntax.kind !== "alias") return none;
  const types = variantsOf(syntax).map(({ type }) => type);
  const shapes = types.map((type) =>
    shapeOf(program, document, type, depth + 1),
  );
  const depths = types.map((type) => {
    const resolved = resolveType(program, document, type);
    if (resolved?.kind !== "union") return 0;
    return facts.get(resolved.declared.syntax)?.depth ?? 0;
  });
  const isOpen = metadataValue(syntax, "open") === "true";
  const openTag = isOpen ? (metadataValue(syntax, "tag") ?? null) : null;
  const found = {
    shape: joinShapes(
      shapes.flatMap((shape) => shape ?? []),
      openTag,
    ),
    depth: Math.max(0, ...depths) + 1,
  };
  facts.set(syntax, found);
  return found;
}

function shapeOfStruct({ syntax }: DeclaredType): VariantShape {
  if (syntax.kind !== "struct") return shapeOfObject([]);
  const union = structUnionOf(syntax);
  // A variant of type `null` has no content.
  const isAbsent = (field: Field): boolean =>
    union?.kind === "tag" &&
    union.content === field &&
    union.variants.some(({ type }) => isNull(type));
  // Only the tag of an unknown variant is known.
  const isUnknown = (field: Field): boolean =>
    union?.kind === "tag" &&
    metadataValue(union.content, "open") === "true" &&
    field.name.text !== union.tag;
  return shapeOfObject(
    syntax.fields.flatMap((field) => {
      const jsonName = jsonNameOf(field);
      const isOptional =
        field.isOptional || isAbsent(field) || isUnknown(field);
      return jsonName === null
        ? []
        : [{ jsonName, isExtra: isExtra(field), isOptional }];
    }),
  );
}

function isNull(type: TypeExpression): boolean {
  return type.kind === "name" && type.name.text === "null";
}

/** Whether every JSON value is of a type. */
export function isAny(type: ResolvedType | null): boolean {
  return type?.kind === "scalar" && type.name === "any";
}

/** Caches the tags of a program's unions, by the union and the tag's name. */
const knownTags = rememberEach((_: Program) =>
  rememberEach((_: TypeSyntax) => new Map<string, readonly AllowedValue[]>()),
);

/** Returns the tags of a struct, or of the variants of a union. */
export function tagsOf(
  program: Program,
  document: LoadedDocument,
  type: TypeExpression,
  tag: string,
  depth = 0,
): readonly AllowedValue[] {
  const resolved = resolveType(program, document, type);
  if (resolved?.kind === "union" && depth < maxUnionDepth) {
    const { document, syntax } = resolved.declared;
    const cache = knownTags(program)(syntax);
    const known = cache.get(tag);
    if (known !== undefined || syntax.kind !== "alias") return known ?? [];
    const tags = variantsOf(syntax).flatMap((each) =>
      tagsOf(program, document, each.type, tag, depth + 1),
    );
    // Variants with the same tag are reported where the union is declared.
    const found = [...new Set(tags)];
    cache.set(tag, found);
    return found;
  }
  if (resolved?.kind !== "struct") return [];
  return tagsOfStruct(program, resolved.declared, tag) ?? [];
}

/**
 * Returns the values that a field of a struct can have as a tag. Returns null
 * if there are many, or if there is no such field.
 */
export function tagsOfStruct(
  program: Program,
  { document, syntax }: DeclaredType,
  tag: string,
): readonly AllowedValue[] | null {
  if (syntax.kind !== "struct") return null;
  const field = syntax.fields.find((each) => jsonNameOf(each) === tag);
  if (field === undefined) return null;
  const union = structUnionOf(syntax);
  if (union?.kind !== "tag" || union.tag !== field.name.text) {
    return literalsOf(program, document, field);
  }
  return union.variants.flatMap((variant) =>
    tagsOfVariant(program, document, field, variant),
  );
}

/** Returns the values of a tag that mean a variant of a struct. */
export function tagsOfVariant(
  program: Scoped,
  document: LoadedDocument,
  tag: Field,
  { values }: Variant,
): readonly AllowedValue[] {
  const type = resolveType(program, document, tag.type);
  if (type === null) return [];
  return values.flatMap((each) => readAllowedValue(type, each) ?? []);
}

/** Returns the fields of a struct, or none for another type. */
export function structFieldsOf(type: ResolvedType): readonly Field[] {
  if (type.kind !== "struct") return [];
  const { syntax } = type.declared;
  return syntax.kind === "struct" ? syntax.fields : [];
}

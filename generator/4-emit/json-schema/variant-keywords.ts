import type { ScalarName, TypeDeclaration, Union } from "../../ir/contract.js";
import type { ContractValues } from "../../values/value.js";
import {
  type ResolvedVariant,
  tagsIn,
  variantsOf,
} from "../../values/variants.js";
import { isList, type JsonObject } from "../emitter/json-value.js";
import type { Dialect, ScalarSchema } from "./dialects.js";
import type { SchemaPart } from "./part.js";

/** What the schemas of unions depend on, apart from their variants. */
export interface UnionScope extends ContractValues {
  readonly dialect: Dialect;
  /** Returns the name of the schema of a declared type. */
  nameOf(type: string): string;
  /** Returns the name of the schema of an open union's unknown variants. */
  nameOfUnknown(union: string): string;
}

/**
 * Returns the variants of a union that have schemas of their own. Those of a
 * union with a tag are structs, because generators do not find the variants of
 * a union in a union.
 */
export function variantsIn(
  scope: ContractValues,
  union: Union,
): readonly ResolvedVariant[] {
  const variants = variantsOf(scope)(union);
  if (union.tag === null) return variants;
  return variants.flatMap((variant) =>
    variant.value.kind === "union"
      ? variantsIn(scope, variant.value.declaration)
      : [variant],
  );
}

/**
 * Returns the schema of a variant that is a number or a string. Elsewhere, both
 * forms of a `bigint` are accepted, but here the kind of JSON value decides.
 */
export function ofOneKind(
  scalar: (name: ScalarName) => ScalarSchema,
  { kinds, value }: ResolvedVariant,
  part: SchemaPart,
): SchemaPart {
  const isEither =
    value.kind === "scalar" && isList(scalar(value.scalar).schema["type"]);
  if (!isEither || kinds.size > 1) return part;
  const { maximum, minimum, pattern, ...schema } = part.schema;
  const own = kinds.has("string")
    ? { type: "string", ...(pattern !== undefined && { pattern }) }
    : { type: "integer", ...(minimum !== undefined && { minimum, maximum }) };
  // OpenAPI 3.0 and draft 7 ignore everything beside a reference.
  const rest = "$ref" in schema ? { allOf: [schema] } : schema;
  return { ...part, schema: { ...rest, ...own } };
}

/**
 * Returns the keywords that describe the variants of a union, and unknown ones
 * if it is open.
 *
 * Input: the schemas of the variants, and the types that they refer to.
 */
export function variantKeywords(
  scope: UnionScope,
  union: Union,
  parts: readonly {
    readonly refs: readonly string[];
    readonly schema: JsonObject;
  }[],
): JsonObject {
  const { choice, name, tag } = union;
  const { hasFormats, root } = scope.dialect;
  const schemas = parts.map(({ schema }) => schema);
  if (choice.length > 0) return { oneOf: schemas, ...onlyOneOf(scope, choice) };
  if (tag === null) {
    // `oneOf` is wrong for objects that have the fields of several variants, and
    // for text that can be the integer of another variant. Generators read it
    // better, except in a union that contains itself.
    const isApart =
      hasFormats &&
      areApart(variantsIn(scope, union)) &&
      !parts.some(({ refs }) => refs.includes(name));
    return { [isApart ? "oneOf" : "anyOf"]: schemas };
  }
  if (isOpenUnion(union)) {
    // Generators need a name.
    schemas.push(
      hasFormats
        ? { $ref: root + scope.nameOfUnknown(name) }
        : unknownVariant(scope, union),
    );
  }
  return {
    oneOf: schemas,
    ...(hasFormats && discriminatorOf(scope, union, tag)),
  };
}

/**
 * Forbids objects with several of these members, even if only one is valid.
 * Generators of code ignore `not`, and would add types for other keywords.
 */
function onlyOneOf(
  { dialect }: UnionScope,
  members: readonly string[],
): JsonObject {
  // OpenAPI 3.0 has no null, and a document describes what clients should send.
  const present = members.map((name) => ({
    ...(dialect.acceptsAll && {
      properties: { [name]: { not: { type: "null" } } },
    }),
    required: [name],
  }));
  return { not: { not: { oneOf: present } } };
}

/** Whether a type is a union that accepts unknown tags. */
export function isOpenUnion(type: TypeDeclaration): type is OpenUnion {
  return type.kind === "union" && type.isOpen && type.tag !== null;
}

type OpenUnion = Union & { readonly tag: string };

/** Describes an object with a tag that is none of those that are known. */
export function unknownVariant(
  scope: ContractValues,
  union: OpenUnion,
): JsonObject {
  const tags = tagsIn(scope, union);
  const types = [...new Set(tags.map((each) => typeof each))];
  const [only, ...others] = types.map((each) =>
    each === "bigint" ? "number" : each,
  );
  const type = others.length > 0 ? [only, ...others] : only;
  return {
    type: "object",
    properties: { [union.tag]: { type, not: { enum: [...tags] } } },
    required: [union.tag],
  };
}

/** Whether each variant has kinds of JSON values of its own. */
function areApart(variants: readonly ResolvedVariant[]): boolean {
  const kinds = variants.flatMap((variant) => [...variant.kinds]);
  return new Set(kinds).size === kinds.length;
}

/**
 * Returns OpenAPI's `discriminator`, which tells generators which variant a tag
 * means. Its keys are strings, so generators misread tags of other types.
 */
function discriminatorOf(
  scope: UnionScope,
  union: Union,
  tag: string,
): JsonObject {
  if (tagsIn(scope, union).some((each) => typeof each !== "string")) return {};
  const mapping = variantsIn(scope, union).flatMap(
    ({ tags, value: { name } }) =>
      name === null
        ? []
        : tags.map((each) => [
            String(each),
            scope.dialect.root + scope.nameOf(name),
          ]),
  );
  return {
    discriminator: {
      propertyName: tag,
      mapping: Object.fromEntries(mapping),
    },
  };
}

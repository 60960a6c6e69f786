import type { Field, Literal, TypeReference, Union } from "../ir/contract.js";
import { rememberEach } from "../ir/remember.js";
import { scalars } from "../ir/scalars.js";
import {
  type JsonKind,
  joinShapes,
  jsonKinds,
  marksOf,
  shapeOfKinds,
  shapeOfObject,
  type VariantShape,
} from "../ir/variant-shape.js";
import type { ContractValues, ResolvedValue } from "./value.js";

/** A variant of a union, and how its values are told apart. */
export interface Variant {
  readonly type: TypeReference;
  readonly value: ResolvedValue;
  /** The values of the tag that mean this variant. Empty without a tag. */
  readonly tags: readonly Literal[];
  readonly kinds: ReadonlySet<JsonKind>;
  /**
   * The fields whose presence shows that an object is of this variant, if it is
   * of none of those before it. Empty with a tag.
   */
  readonly marks: readonly Mark[];
}

/** A field whose presence tells a variant from others. */
export interface Mark {
  /** JSON name of the field. */
  readonly name: string;
  /** Whether null is a value of the field. Otherwise, null means absent. */
  readonly isNullable: boolean;
}

/** Returns the variants of the unions of a contract. */
export const variantsOf = rememberEach((scope: ContractValues) =>
  rememberEach((union: Union): readonly Variant[] => {
    const { tag, variants } = union;
    const shaped = variants.map((type) => ({
      type,
      shape: shapeOf(scope, type),
    }));
    const shapes = shaped.map(({ shape }) => shape);
    return shaped.map(({ shape, type }) => {
      const value = scope.valueOf(type);
      return {
        type,
        value,
        kinds: shape.kinds,
        tags: tag === null ? [] : tagsOf(scope, value, tag),
        marks:
          tag === null
            ? marksOf(shape, shapes).map((name) => markOf(value, name))
            : [],
      };
    });
  }),
);

function markOf(value: ResolvedValue, name: string): Mark {
  const field =
    value.kind === "struct"
      ? value.declaration.fields.find(isNamed(name))
      : undefined;
  return { name, isNullable: field?.isNullable ?? false };
}

/** Returns all tags of a union, each once. */
export function tagsIn(
  scope: ContractValues,
  union: Union,
): readonly Literal[] {
  const variants = variantsOf(scope)(union);
  return [...new Set(variants.flatMap(({ tags }) => tags))];
}

/**
 * Returns all values of a type as on the wire, or null if there are too many to
 * list.
 */
export function literalsOf(value: ResolvedValue): readonly Literal[] | null {
  switch (value.kind) {
    case "scalar":
      return (
        value.limits.enum ?? (value.scalar === "bool" ? [true, false] : null)
      );
    case "enum":
      return (
        value.limits.enum ??
        value.declaration.members.map(({ jsonValue }) => jsonValue)
      );
    case "bytes":
    case "struct":
    case "list":
    case "map":
    case "union":
      return null;
  }
}

/** Returns the tags of a struct or of the variants of a union. */
function tagsOf(
  scope: ContractValues,
  value: ResolvedValue,
  tag: string,
): readonly Literal[] {
  if (value.kind === "union") return tagsIn(scope, value.declaration);
  if (value.kind !== "struct") return [];
  const field = value.declaration.fields.find(isNamed(tag));
  return (field && literalsOf(scope.valueOf(field))) ?? [];
}

/** Tests whether a field has a JSON name. */
export function isNamed(name: string): (field: Field) => boolean {
  return ({ jsonName }) => jsonName === name;
}

function shapeOf(scope: ContractValues, type: TypeReference): VariantShape {
  const value = scope.valueOf(type);
  switch (value.kind) {
    case "scalar": {
      const { wire } = scalars[value.scalar];
      return shapeOfKinds(jsonKinds(wire, value.acceptsInteger));
    }
    case "bytes":
    case "enum":
      return shapeOfKinds(new Set(["string"]));
    case "list":
      return shapeOfKinds(new Set(["array"]));
    case "map":
      return shapeOfKinds(new Set(["object"]));
    case "struct":
      return shapeOfObject(
        value.declaration.fields.map(({ isOptional, jsonName }) => ({
          name: jsonName,
          isOptional,
        })),
      );
    case "union":
      return joinShapes(
        value.declaration.variants.map((each) => shapeOf(scope, each)),
      );
  }
}

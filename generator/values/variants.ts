import type {
  AllowedValue,
  Field,
  TypeReference,
  Union,
} from "../ir/contract.js";
import { isRecord } from "../ir/is-record.js";
import { rememberEach } from "../ir/remember.js";
import { scalars } from "../ir/scalars.js";
import {
  type JsonKind,
  joinShapes,
  jsonKindOf,
  jsonKinds,
  marksOf,
  shapeOfKinds,
  shapeOfMap,
  shapeOfObject,
  type VariantShape,
} from "../ir/variant-shape.js";
import { enumValuesOf } from "./allowed-values.js";
import type { ContractValues, ResolvedValue } from "./value.js";

/** A variant of a union, and how its values are told apart. */
export interface ResolvedVariant {
  readonly type: TypeReference;
  readonly value: ResolvedValue;
  /** The values of the tag that mean this variant. Empty without a tag. */
  readonly tags: readonly AllowedValue[];
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
  rememberEach((union: Union): readonly ResolvedVariant[] => {
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
            ? marksOf(shape, shapes).map((name) => ({
                name,
                isNullable: hasNullable(scope, value, name),
              }))
            : [],
      };
    });
  }),
);

/** Returns the variant that a JSON value is of, or null if it is of none. */
export function variantFor(
  scope: ContractValues,
  union: Union,
  json: unknown,
): ResolvedVariant | null {
  return findVariant(union, variantsOf(scope)(union), json);
}

/** Returns the one of a union's variants that a JSON value is of, or null. */
export function findVariant<
  Each extends Omit<ResolvedVariant, "type" | "value">,
>({ tag }: Union, variants: readonly Each[], json: unknown): Each | null {
  const kind = jsonKindOf(json);
  const member = (name: string): unknown =>
    isRecord(json) && Object.hasOwn(json, name) ? json[name] : undefined;
  const has = ({ isNullable, name }: Mark): boolean => {
    const value = member(name);
    return value !== undefined && (isNullable || value !== null);
  };
  const found = variants.find(({ kinds, marks, tags }) =>
    tag === null
      ? kinds.has(kind) && (kind !== "object" || marks.every(has))
      : tags.some((each) => each === member(tag)),
  );
  return found ?? null;
}

/** Whether null is a value of a field of a struct, or of some of a union. */
function hasNullable(
  scope: ContractValues,
  value: ResolvedValue,
  name: string,
): boolean {
  if (value.kind === "union") {
    return value.declaration.variants.some((each) =>
      hasNullable(scope, scope.valueOf(each), name),
    );
  }
  const field =
    value.kind === "struct"
      ? value.declaration.fields.find(isNamed(name))
      : undefined;
  return field?.isNullable ?? false;
}

/** Returns all tags of a union, each once. */
export function tagsIn(
  scope: ContractValues,
  union: Union,
): readonly AllowedValue[] {
  const variants = variantsOf(scope)(union);
  return [...new Set(variants.flatMap(({ tags }) => tags))];
}

/**
 * Returns all values of a type as on the wire, or null if there are too many to
 * list.
 */
export function literalsOf(
  value: ResolvedValue,
): readonly AllowedValue[] | null {
  switch (value.kind) {
    case "scalar":
      return (
        value.limits.enum ?? (value.scalar === "bool" ? [true, false] : null)
      );
    case "enum":
      return enumValuesOf(value);
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
): readonly AllowedValue[] {
  if (value.kind === "union") return tagsIn(scope, value.declaration);
  if (value.kind !== "struct") return [];
  const field = value.declaration.fields.find(isNamed(tag));
  return (field && literalsOf(scope.valueOf(field))) ?? [];
}

/** Tests whether a field has a JSON name. */
export function isNamed(name: string): (field: Field) => boolean {
  return ({ jsonName }) => jsonName === name;
}

/** Returns what tells the values of a type from those of other types. */
export function shapeOf(
  scope: ContractValues,
  type: TypeReference,
): VariantShape {
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
      return shapeOfMap;
    case "struct":
      return shapeOfObject(
        value.declaration.fields.map(({ isOptional, jsonName }) => ({
          name: jsonName,
          isOptional,
        })),
      );
    case "union": {
      const { isOpen, tag, variants } = value.declaration;
      const shapes = variants.map((each) => shapeOf(scope, each));
      return joinShapes(shapes, isOpen ? tag : null);
    }
  }
}

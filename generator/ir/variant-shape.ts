import type { Field } from "./contract.js";
import type { Scalar } from "./scalars.js";

/** The kind of a JSON value. */
export type JsonKind =
  "array" | "boolean" | "null" | "number" | "object" | "string";

/** What tells the values of a type from those of other types. */
export interface VariantShape {
  /** The kinds of JSON values that the type can have. */
  readonly kinds: ReadonlySet<JsonKind>;
  /** JSON names of the fields that every object of the type has. */
  readonly required: ReadonlySet<string>;
  /** JSON names of all fields that an object of the type can have. */
  readonly fields: ReadonlySet<string>;
  /** Whether an object of the type can have fields of any name. */
  readonly isMap: boolean;
}

/** Returns the kinds of JSON values that a core type can have. */
export function jsonKinds(
  wire: Scalar["wire"],
  acceptsInteger: boolean,
): ReadonlySet<JsonKind> {
  switch (wire) {
    case "any":
      return anyKind;
    case "file":
      return none;
    case "boolean":
    case "null":
    case "number":
    case "string":
      return new Set(acceptsInteger ? [wire, "number"] : [wire]);
  }
}

/** Returns the kind of a JSON value, of which integers can be `bigint`. */
export function jsonKindOf(json: unknown): JsonKind {
  if (json === null || json === undefined) return "null";
  if (Array.isArray(json)) return "array";
  const kind = typeof json;
  const isSame = kind === "boolean" || kind === "object" || kind === "string";
  return isSame ? kind : "number";
}

const none: ReadonlySet<JsonKind> = new Set();

const anyKind: ReadonlySet<JsonKind> = new Set([
  "array",
  "boolean",
  "null",
  "number",
  "object",
  "string",
]);

/**
 * Returns what the variants of a union have in common.
 *
 * Input: the tag of an open union, which is all that its unknown variants are
 * known to have. Null for other unions.
 */
export function joinShapes(
  shapes: readonly VariantShape[],
  openTag: string | null,
): VariantShape {
  const objects = shapes.filter(({ kinds }) => kinds.has("object"));
  const [first, ...others] = objects;
  const required = [...(first?.required ?? [])].filter(
    (name) =>
      (openTag === null || name === openTag) &&
      others.every((other) => other.required.has(name)),
  );
  return {
    kinds: new Set(shapes.flatMap(({ kinds }) => [...kinds])),
    required: new Set(required),
    fields: new Set(objects.flatMap(({ fields }) => [...fields])),
    isMap: objects.some(({ isMap }) => isMap),
  };
}

/** Returns the shape of values that are not objects. */
export function shapeOfKinds(kinds: ReadonlySet<JsonKind>): VariantShape {
  return { kinds, required: new Set(), fields: new Set(), isMap: false };
}

/** The shape of maps. */
export const shapeOfMap: VariantShape = {
  ...shapeOfKinds(new Set(["object"])),
  isMap: true,
};

/** Returns the shape of a struct with these fields. */
export function shapeOfObject(
  all: readonly Pick<Field, "isExtra" | "isOptional" | "jsonName">[],
): VariantShape {
  const fields = all.filter(({ isExtra }) => !isExtra);
  const required = fields.filter(({ isOptional }) => !isOptional);
  return {
    kinds: new Set(["object"]),
    required: new Set(required.map(({ jsonName }) => jsonName)),
    fields: new Set(fields.map(({ jsonName }) => jsonName)),
    isMap: fields.length < all.length,
  };
}

/** Why a value can be of two variants. */
export interface Ambiguity {
  readonly first: number;
  readonly again: number;
  /** The kind of the value. */
  readonly kind: JsonKind;
}

/**
 * Returns the variants without a tag whose values can also be of an earlier
 * variant. An object is of the first variant whose required fields it has, so a
 * later variant must lack one of them.
 */
export function findAmbiguities(
  shapes: readonly VariantShape[],
): readonly Ambiguity[] {
  return shapes.flatMap((shape, again): readonly Ambiguity[] => {
    for (const [first, earlier] of shapes.slice(0, again).entries()) {
      const kind = findShared(earlier, shape);
      // One pair shows the problem.
      if (kind !== null) return [{ first, again, kind }];
    }
    return [];
  });
}

function findShared(
  earlier: VariantShape,
  later: VariantShape,
): JsonKind | null {
  const shared = [...later.kinds].find(
    (kind) =>
      earlier.kinds.has(kind) &&
      (kind !== "object" ||
        later.isMap ||
        isEach(earlier.required, later.fields)),
  );
  return shared ?? null;
}

/**
 * Returns the fields whose presence shows that an object is of a variant, given
 * that it is of none of the earlier ones. The fields that all variants require
 * show nothing.
 */
export function marksOf(
  shape: VariantShape,
  shapes: readonly VariantShape[],
): readonly string[] {
  const objects = shapes.filter(({ kinds }) => kinds.has("object"));
  return [...shape.required].filter((name) =>
    objects.some(({ required }) => !required.has(name)),
  );
}

function isEach(
  names: ReadonlySet<string>,
  among: ReadonlySet<string>,
): boolean {
  for (const name of names) if (!among.has(name)) return false;
  return true;
}

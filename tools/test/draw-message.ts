import { finiteFirst } from "../../generator/values/finite-first.js";
import * as fc from "fast-check";
import type {
  Contract,
  Field,
  TypeReference,
} from "../../generator/ir/contract.js";
import { enumValuesOf } from "../../generator/values/allowed-values.js";
import { readExample } from "../../generator/values/read-example.js";
import {
  type ResolvedList,
  type ResolvedMap,
  type ResolvedScalar,
  type ContractValues,
  valuesOf,
} from "../../generator/values/value.js";
import { drawBytes, drawScalar } from "./draw-scalar.js";
import {
  type Json,
  membersOf,
  type WireObject,
  writeJson,
} from "../../generator/values/json.js";
import {
  extraFieldOf,
  membersAmong,
} from "../../generator/ir/extra-members.js";

/** A part of a message that has a value and its own limits. */
export type MessagePart = Field | TypeReference;

/** A field and the arbitrary of its value. Null omits the field. */
export interface ForcedField {
  readonly field: Field;
  readonly value: fc.Arbitrary<Json> | null;
}

/** From this depth on, objects have only their required fields. */
const maxDepth = 3;

/** Maximum number of items or entries beyond those that a type requires. */
const maxExtraItems = 3;

/** Values from the command line, by the names of their fields. */
export type KnownValues = ReadonlyMap<string, readonly string[]>;

/** Draws values that fit a contract. Arbitraries are created once. */
export class Draws {
  readonly #values: ContractValues;
  readonly #known: KnownValues;
  readonly #made = new Map<MessagePart, fc.Arbitrary<Json>[]>();

  /**
   * `known` contains values that exist on the server, so that requests can
   * refer to them.
   */
  constructor(contract: Contract, known: KnownValues) {
    this.#values = valuesOf(contract);
    this.#known = known;
  }

  /** Draws objects with these fields, one of which may be forced. */
  object(
    all: readonly Field[],
    forced: ForcedField | null = null,
    depth = 0,
  ): fc.Arbitrary<WireObject> {
    const extra = extraFieldOf(all);
    const fields = membersAmong(all);
    const members = this.#members(fields, forced, depth);
    if (extra === undefined) return members;
    const names = new Set(fields.map(({ jsonName }) => jsonName));
    const given = extra === forced?.field ? forced.value : null;
    return fc
      .tuple(members, given ?? this.value(extra, depth))
      .map(([own, map]) =>
        Object.fromEntries([
          ...Object.entries(own),
          ...membersOf(map).filter(([name]) => !names.has(name)),
        ]),
      );
  }

  #members(
    fields: readonly Field[],
    forced: ForcedField | null,
    depth: number,
  ): fc.Arbitrary<WireObject> {
    const isForced = (field: Field): boolean => field === forced?.field;
    const drawn = fields.filter((field) =>
      isForced(field)
        ? forced?.value !== null
        : !field.isOptional || depth < maxDepth,
    );
    const shape = drawn.map((field) => [
      field.jsonName,
      (isForced(field) ? forced?.value : null) ?? this.#field(field, depth),
    ]);
    const required = drawn.filter(
      (field) => !field.isOptional || isForced(field),
    );
    return fc.record<WireObject>(Object.fromEntries(shape), {
      requiredKeys: required.map(({ jsonName }) => jsonName),
      noNullPrototype: true,
    });
  }

  /** Draws values of a field, an element or another part. */
  value(part: MessagePart, depth = 0): fc.Arbitrary<Json> {
    const byDepth = this.#made.get(part) ?? [];
    this.#made.set(part, byDepth);
    return (byDepth[depth] ??= this.#make(part, depth));
  }

  #make(part: MessagePart, depth: number): fc.Arbitrary<Json> {
    const value = this.#values.valueOf(part);
    switch (value.kind) {
      case "scalar":
        return drawKnown(value);
      case "bytes":
        return drawBytes(value.limits);
      case "enum":
        return drawOneOf(enumValuesOf(value));
      case "struct":
        return this.object(value.declaration.fields, null, depth + 1);
      case "union":
        return fc.oneof(
          ...finiteFirst(this.#values, value.declaration)
            .slice(0, depth >= maxDepth ? 1 : Infinity)
            .map((type) => this.value(type, depth + 1)),
        );
      case "list":
        return this.#list(value, depth);
      case "map":
        return this.#map(value, depth);
    }
  }

  #field(field: Field, depth: number): fc.Arbitrary<Json> {
    // Stop here, because the value can contain the struct again.
    if (field.isNullable && depth >= maxDepth) return fc.constant(null);
    const known = (this.#known.get(field.jsonName) ?? []).flatMap((text) =>
      this.#readKnown(field.type, text),
    );
    const drawn = fc.oneof(
      this.value(field, depth),
      ...known.map((value) => ({ arbitrary: fc.constant(value), weight: 4 })),
    );
    if (!field.isNullable) return drawn;
    return fc.oneof({ arbitrary: drawn, weight: 4 }, fc.constant(null));
  }

  /**
   * Parses text as a value of a type. Returns an empty list if that is
   * impossible.
   */
  #readKnown(type: TypeReference, text: string): readonly Json[] {
    const value = this.#values.valueOf(type);
    switch (value.kind) {
      case "list":
        return this.#readKnown(value.element, text).map((item) => [item]);
      case "scalar": {
        const { scalar } = value;
        const read = scalar === "any" ? text : readExample(scalar, [], text);
        return read === undefined ? [] : [read];
      }
      case "bytes":
      case "enum":
      case "struct":
        return [text];
      case "map":
      case "union":
        return [];
    }
  }

  #list({ element, limits }: ResolvedList, depth: number): fc.Arbitrary<Json> {
    const [minLength, maxLength] = countRange(
      depth,
      limits.minItems,
      limits.maxItems,
    );
    // Stop here, because the item can contain a list of the same type.
    if (maxLength === 0) return fc.constant([]);
    const item = this.#item(element, depth);
    return limits.uniqueItems === true
      ? fc.uniqueArray(item, { minLength, maxLength, selector: writeJson })
      : fc.array(item, { minLength, maxLength });
  }

  /** Draws items of a list or map at a depth. */
  #item(type: TypeReference, depth: number): fc.Arbitrary<Json> {
    const item = this.value(type, depth + 1);
    return this.#values.valueOf(type).isNullable
      ? fc.oneof({ arbitrary: item, weight: 4 }, fc.constant(null))
      : item;
  }

  #map({ held, key, limits }: ResolvedMap, depth: number): fc.Arbitrary<Json> {
    const [minKeys, maxKeys] = countRange(
      depth,
      limits.minProperties,
      limits.maxProperties,
    );
    if (maxKeys === 0) return fc.constant({});
    const keys = this.value(key, depth + 1).map(String);
    return fc.dictionary(keys, this.#item(held, depth), {
      minKeys,
      maxKeys,
      noNullPrototype: true,
    });
  }
}

/** Draws a scalar. For an open enum, it is usually a known value. */
function drawKnown(value: ResolvedScalar): fc.Arbitrary<Json> {
  const { known, limits } = value;
  const drawn = drawScalar(value);
  if (known === null || limits.enum !== undefined) return drawn;
  const values = known.members.map(({ jsonValue }) => jsonValue);
  return fc.oneof({ arbitrary: drawOneOf(values), weight: 4 }, drawn);
}

function drawOneOf(values: readonly string[]): fc.Arbitrary<Json> {
  // No value fits an empty enum.
  return fc.constantFrom<Json>(...(values.length > 0 ? values : [null]));
}

function countRange(
  depth: number,
  min = 0,
  max = Infinity,
): readonly [number, number] {
  const maxCount = depth >= maxDepth ? min : min + maxExtraItems;
  return [min, Math.max(min, Math.min(max, maxCount))];
}

import * as fc from "fast-check";
import { isBytes } from "../../ir/bytes.js";
import type {
  Contract,
  Field,
  ScalarName,
  TypeReference,
} from "../../ir/contract.js";
import { readExample } from "../../ir/read-example.js";
import { type ContractIndex, createIndex } from "../../ir/resolve.js";
import { drawBytes, drawScalar } from "./draw-scalar.js";
import { type Json, type WireObject, writeJson } from "./json.js";

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
  readonly #index: ContractIndex;
  readonly #known: KnownValues;
  readonly #made = new Map<MessagePart, fc.Arbitrary<Json>[]>();

  /**
   * `known` contains values that exist on the server, so that requests can
   * refer to them.
   */
  constructor(contract: Contract, known: KnownValues) {
    this.#index = createIndex(contract);
    this.#known = known;
  }

  /** Draws objects with these fields, one of which may be forced. */
  object(
    fields: readonly Field[],
    forced: ForcedField | null = null,
    depth = 0,
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
    const reference = part.kind === "field" ? part.type : part;
    const type = this.#index.resolve(reference);
    switch (type.kind) {
      case "scalar":
        return this.#scalar(part, reference, type.name);
      case "list":
        return isBytes(this.#index, reference)
          ? drawBytes(this.#index.constraintsOf(part))
          : this.#list(part, type.element, depth);
      case "map":
        return this.#map(part, type, depth);
      case "reference":
        return this.#declared(type.name, depth);
    }
  }

  #field(field: Field, depth: number): fc.Arbitrary<Json> {
    const known = (this.#known.get(field.jsonName) ?? []).flatMap((text) =>
      this.#readKnown(field.type, text),
    );
    const drawn = fc.oneof(
      this.value(field, depth),
      ...known.map((value) => ({ arbitrary: fc.constant(value), weight: 4 })),
    );
    if (!field.isNullable) return drawn;
    if (depth >= maxDepth) return fc.constant(null);
    return fc.oneof({ arbitrary: drawn, weight: 4 }, fc.constant(null));
  }

  /**
   * Parses text as a value of a type. Returns an empty list if that is
   * impossible.
   */
  #readKnown(reference: TypeReference, text: string): readonly Json[] {
    const type = this.#index.resolve(reference);
    switch (type.kind) {
      case "list":
        return this.#readKnown(type.element, text).map((item) => [item]);
      case "scalar": {
        const value =
          type.name === "any" ? text : readExample(type.name, [], text);
        return value === undefined ? [] : [value];
      }
      case "reference":
        return [text];
      case "map":
        return [];
    }
  }

  /** Draws a scalar. For an open enum, it is usually a known value. */
  #scalar(
    part: MessagePart,
    reference: TypeReference,
    name: ScalarName,
  ): fc.Arbitrary<Json> {
    const index = this.#index;
    const drawn = drawScalar(name, index.constraintsAlong(part));
    const [known] = index
      .aliasesFrom(reference)
      .flatMap((alias) => alias.known ?? []);
    if (known === undefined) return drawn;
    return fc.oneof({ arbitrary: this.#declared(known, 0), weight: 4 }, drawn);
  }

  #list(
    part: MessagePart,
    element: TypeReference,
    depth: number,
  ): fc.Arbitrary<Json> {
    const limits = this.#index.constraintsOf(part);
    const [minLength, maxLength] = countRange(
      depth,
      limits.minItems,
      limits.maxItems,
    );
    // Stop here, because the item can contain a list of the same type.
    if (maxLength === 0) return fc.constant([]);
    const item = this.value(element, depth + 1);
    return limits.uniqueItems === true
      ? fc.uniqueArray(item, { minLength, maxLength, selector: writeJson })
      : fc.array(item, { minLength, maxLength });
  }

  #map(
    part: MessagePart,
    {
      key,
      value,
    }: { readonly key: TypeReference; readonly value: TypeReference },
    depth: number,
  ): fc.Arbitrary<Json> {
    const limits = this.#index.constraintsOf(part);
    const [minKeys, maxKeys] = countRange(
      depth,
      limits.minProperties,
      limits.maxProperties,
    );
    if (maxKeys === 0) return fc.constant({});
    const keys = this.value(key, depth + 1).map(String);
    return fc.dictionary(keys, this.value(value, depth + 1), {
      minKeys,
      maxKeys,
      noNullPrototype: true,
    });
  }

  #declared(name: string, depth: number): fc.Arbitrary<Json> {
    const declared = this.#index.type(name);
    switch (declared.kind) {
      case "struct":
        return this.object(declared.fields, null, depth + 1);
      case "alias":
        return this.value(declared.type, depth);
      case "enum": {
        const values = declared.members.map(({ jsonValue }) => jsonValue);
        // No value fits an empty enum.
        return fc.constantFrom<Json>(...(values.length > 0 ? values : [null]));
      }
    }
  }
}

function countRange(
  depth: number,
  min = 0,
  max = Infinity,
): readonly [number, number] {
  const maxCount = depth >= maxDepth ? min : min + maxExtraItems;
  return [min, Math.max(min, Math.min(max, maxCount))];
}

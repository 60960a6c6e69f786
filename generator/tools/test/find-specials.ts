import * as fc from "fast-check";
import { isBytes } from "../../ir/bytes.js";
import type { Contract, Field, TypeReference } from "../../ir/contract.js";
import { type ContractIndex, createIndex } from "../../ir/resolve.js";
import { scalars } from "../../ir/scalars.js";
import type { Draws, MessagePart } from "./draw-message.js";
import { drawBytes } from "./draw-scalar.js";
import type { Json, WireObject } from "./json.js";
import { type Special, eachOf, specialScalars } from "./special-scalars.js";

/**
 * Longer lists and maps are not created, because servers limit the size of
 * bodies.
 */
const maxCount = 1000;

/** One value of each JSON type except null. */
const kinds: Readonly<Record<string, Json>> = {
  boolean: true,
  number: 7n,
  string: "text",
  list: [],
  object: {},
};

/** Names of the structs around a part. Their number is its depth. */
type Outer = ReadonlySet<string>;

/** Finds values at a limit and invalid values for each part of a message. */
export class SpecialFinder {
  readonly #index: ContractIndex;
  readonly #draws: Draws;

  constructor(contract: Contract, draws: Draws) {
    this.#index = createIndex(contract);
    this.#draws = draws;
  }

  /** Finds special values of an object with these fields at this path. */
  inFields(
    fields: readonly Field[],
    path = "",
    outer: Outer = new Set(),
  ): readonly Special<WireObject>[] {
    return fields.flatMap((field) => {
      const place = path === "" ? field.jsonName : `${path}.${field.jsonName}`;
      const set = (value: fc.Arbitrary<Json> | null) =>
        this.#draws.object(fields, { field, value }, outer.size);
      return [
        { what: `no \`${place}\``, value: set(null) },
        ...this.#inPart(field, place, outer).map(({ what, value }) => ({
          what,
          value: set(value),
        })),
      ];
    });
  }

  #inPart(part: MessagePart, place: string, outer: Outer): readonly Special[] {
    const reference = part.kind === "field" ? part.type : part;
    const own = this.#kindOf(reference);
    const others = Object.entries(kinds).filter(([kind]) => kind !== own);
    return [
      ...eachOf(place, [
        null,
        ...(own === "any" ? [] : others.map(([, value]) => value)),
      ]),
      ...this.#within(part, reference, place, outer),
    ];
  }

  /** Returns the JSON type of a type's values. */
  #kindOf(reference: TypeReference): string {
    const type = this.#index.resolve(reference);
    switch (type.kind) {
      case "scalar":
        return scalars[type.name].wire;
      case "list":
        return isBytes(this.#index, reference) ? "string" : "list";
      case "map":
        return "object";
      case "reference":
        return this.#index.type(type.name).kind === "enum"
          ? "string"
          : "object";
    }
  }

  #within(
    part: MessagePart,
    reference: TypeReference,
    place: string,
    outer: Outer,
  ): readonly Special[] {
    const index = this.#index;
    const type = index.resolve(reference);
    switch (type.kind) {
      case "scalar": {
        const limits = index.constraintsAlong(part);
        return specialScalars(
          place,
          type.name,
          limits,
          this.#draws.value(part),
        );
      }
      case "list":
        return isBytes(index, reference)
          ? this.#inBytes(part, place)
          : this.#inList(part, type.element, place, outer);
      case "map":
        return this.#inMap(part, type, place, outer);
      case "reference":
        return this.#inDeclared(type.name, place, outer);
    }
  }

  #inBytes(part: MessagePart, place: string): readonly Special[] {
    const { maxItems, minItems } = this.#index.constraintsOf(part);
    const lengths = around(minItems, maxItems).map((count) => ({
      what: `\`${place}\` of ${count} bytes`,
      value: drawBytes({ minItems: count, maxItems: count }),
    }));
    return [...lengths, ...eachOf(place, ["A", "AAF=", "_-8="])];
  }

  #inList(
    part: MessagePart,
    element: TypeReference,
    place: string,
    outer: Outer,
  ): readonly Special[] {
    const { maxItems, minItems } = this.#index.constraintsOf(part);
    const item = this.#draws.value(element, outer.size + 1);
    const lengths = around(minItems, maxItems).map((count) => ({
      what: `\`${place}\` of length ${count}`,
      value: fc.array(item, { minLength: count, maxLength: count }),
    }));
    const twice = {
      what: `\`${place}\` has an item twice`,
      value: item.map((each): Json => [each, each]),
    };
    const items = this.#inPart(element, `${place}[0]`, outer);
    return [
      ...lengths,
      twice,
      ...items.map(({ what, value }) => ({
        what,
        value: value.map((each): Json => [each]),
      })),
    ];
  }

  #inMap(
    part: MessagePart,
    type: { readonly key: TypeReference; readonly value: TypeReference },
    place: string,
    outer: Outer,
  ): readonly Special[] {
    const { maxProperties, minProperties } = this.#index.constraintsOf(part);
    const key = this.#draws.value(type.key).map(String);
    const member = this.#draws.value(type.value, outer.size + 1);
    const sizes = around(minProperties, maxProperties).map((count) => ({
      what: `\`${place}\` of size ${count}`,
      value: fc.dictionary(key, member, {
        minKeys: count,
        maxKeys: count,
        noNullPrototype: true,
      }),
    }));
    const values = this.#inPart(type.value, `${place}.*`, outer);
    const keyed = (text: string, value: Json): Json => ({ [text]: value });
    return [
      ...sizes,
      {
        what: `\`${place}\` has the key "no key"`,
        value: member.map((value) => keyed("no key", value)),
      },
      ...values.map(({ what, value }) => ({
        what,
        value: fc.tuple(key, value).map(([text, each]) => keyed(text, each)),
      })),
    ];
  }

  #inDeclared(name: string, place: string, outer: Outer): readonly Special[] {
    const declared = this.#index.type(name);
    switch (declared.kind) {
      case "enum":
        return eachOf(place, ["no such value", ""]);
      case "alias":
        return [];
      case "struct":
        // A struct within itself has no further special values.
        return outer.has(name)
          ? []
          : this.inFields(declared.fields, place, new Set([...outer, name]));
    }
  }
}

/** Returns counts at both limits and beyond them. */
function around(
  min: number | undefined,
  max: number | undefined,
): readonly number[] {
  const counts = [
    ...(min === undefined ? [] : [min - 1, min]),
    ...(max === undefined ? [] : [max, max + 1]),
  ];
  return counts.filter((count) => count >= 0 && count <= maxCount);
}

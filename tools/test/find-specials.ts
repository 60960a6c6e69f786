import * as fc from "fast-check";
import type {
  Contract,
  Field,
  Struct,
  Union,
} from "../../generator/ir/contract.js";
import { scalars } from "../../generator/ir/scalars.js";
import { enumValuesOf } from "../../generator/values/allowed-values.js";
import { countsAround } from "../../generator/values/extremes.js";
import {
  type ResolvedBytes,
  type ResolvedEnum,
  type ResolvedList,
  type ResolvedMap,
  type ResolvedValue,
  type ContractValues,
  valuesOf,
} from "../../generator/values/value.js";
import type { Draws, MessagePart } from "./draw-message.js";
import { drawBytes } from "./draw-scalar.js";
import type { Json, WireObject } from "../../generator/values/json.js";
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
  readonly #values: ContractValues;
  readonly #draws: Draws;

  constructor(contract: Contract, draws: Draws) {
    this.#values = valuesOf(contract);
    this.#draws = draws;
  }

  /** Finds special values of an object with these fields at this path. */
  inFields(
    fields: readonly Field[],
    path = "",
    outer: Outer = new Set(),
  ): readonly Special<WireObject>[] {
    return fields.flatMap((field) => {
      const inside = path === "" ? "" : `${path}.`;
      const place = inside + field.jsonName;
      const set = (value: fc.Arbitrary<Json> | null) =>
        this.#draws.object(fields, { field, value }, outer.size);
      if (field.isExtra) return this.#inExtra(field, path, outer, set);
      return [
        { what: `no \`${place}\``, value: set(null) },
        ...this.#inPart(field, place, outer).map(({ what, value }) => ({
          what,
          value: set(value),
        })),
      ];
    });
  }

  /** Finds special values of the members that no field declares. */
  #inExtra(
    field: Field,
    path: string,
    outer: Outer,
    set: (value: fc.Arbitrary<Json>) => fc.Arbitrary<WireObject>,
  ): readonly Special<WireObject>[] {
    const value = this.#values.valueOf(field);
    if (value.kind !== "map") return [];
    const place = path === "" ? "the message" : path;
    return this.#inMap(value, place, outer).map(({ what, value: map }) => ({
      what,
      value: set(map),
    }));
  }

  #inPart(part: MessagePart, place: string, outer: Outer): readonly Special[] {
    const value = this.#values.valueOf(part);
    const own = kindOf(value);
    const others = Object.entries(kinds).filter(([kind]) => kind !== own);
    return [
      ...eachOf(place, [
        null,
        ...(own === "any" ? [] : others.map(([, other]) => other)),
      ]),
      ...this.#within(part, value, place, outer),
    ];
  }

  #within(
    part: MessagePart,
    value: ResolvedValue,
    place: string,
    outer: Outer,
  ): readonly Special[] {
    switch (value.kind) {
      case "scalar":
        return specialScalars(place, value, this.#draws.value(part));
      case "bytes":
        return specialBytes(value, place);
      case "enum":
        return eachOf(place, ["no such value", "", ...excludedFrom(value)]);
      case "struct":
        return this.#inStruct(value.declaration, place, outer);
      case "union":
        return this.#inUnion(value.declaration, place, outer);
      case "list":
        return this.#inList(value, place, outer);
      case "map":
        return this.#inMap(value, place, outer);
    }
  }

  #inStruct(
    { fields, name }: Struct,
    place: string,
    outer: Outer,
  ): readonly Special[] {
    // A struct within itself has no further special values.
    return outer.has(name)
      ? []
      : this.inFields(fields, place, new Set([...outer, name]));
  }

  #inUnion(union: Union, place: string, outer: Outer): readonly Special[] {
    const { name, tag, variants } = union;
    if (outer.has(name)) return [];
    const inner = new Set([...outer, name]);
    return [
      ...(tag === null
        ? []
        : eachOf(place, [{}, { [tag]: "no such variant" }, { [tag]: null }])),
      ...variants.flatMap((type) =>
        this.#within(type, this.#values.valueOf(type), place, inner),
      ),
    ];
  }

  #inList(
    { element, limits: { maxItems, minItems } }: ResolvedList,
    place: string,
    outer: Outer,
  ): readonly Special[] {
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

  #inMap(map: ResolvedMap, place: string, outer: Outer): readonly Special[] {
    const { maxProperties, minProperties } = map.limits;
    const key = this.#draws.value(map.key).map(String);
    const member = this.#draws.value(map.held, outer.size + 1);
    const sizes = around(minProperties, maxProperties).map((count) => ({
      what: `\`${place}\` of size ${count}`,
      value: fc.dictionary(key, member, {
        minKeys: count,
        maxKeys: count,
        noNullPrototype: true,
      }),
    }));
    const values = this.#inPart(map.held, `${place}.*`, outer);
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
}

/** Returns the members of an enum that limits exclude. */
function excludedFrom(value: ResolvedEnum): readonly string[] {
  const allowed = enumValuesOf(value);
  return value.declaration.members
    .map(({ jsonValue }) => jsonValue)
    .filter((each) => !allowed.includes(each));
}

/** Returns the JSON type of a value. */
function kindOf(value: ResolvedValue): string {
  switch (value.kind) {
    case "scalar":
      return scalars[value.scalar].wire;
    case "bytes":
    case "enum":
      return "string";
    case "list":
      return "list";
    case "struct":
    case "map":
      return "object";
    case "union":
      return value.declaration.tag === null ? "any" : "object";
  }
}

function specialBytes(
  { limits: { maxItems, minItems } }: ResolvedBytes,
  place: string,
): readonly Special[] {
  const lengths = around(minItems, maxItems).map((count) => ({
    what: `\`${place}\` of ${count} bytes`,
    value: drawBytes({ minItems: count, maxItems: count }),
  }));
  return [...lengths, ...eachOf(place, ["A", "AAF=", "_-8="])];
}

/** Returns counts at both limits and beyond them. */
function around(
  min: number | undefined,
  max: number | undefined,
): readonly number[] {
  const { beyond, edges } = countsAround(min, max, maxCount);
  return [...edges, ...beyond];
}

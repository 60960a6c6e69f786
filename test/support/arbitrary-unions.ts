import fc from "fast-check";
import type {
  AllowedValue,
  Contract,
  Field,
  ScalarName,
  Struct,
  TypeReference,
  Union,
} from "../../generator/ir/contract.js";
import { findAmbiguities } from "../../generator/ir/variant-shape.js";
import { valuesOf } from "../../generator/values/value.js";
import {
  findVariant,
  shapeOf,
  variantsOf,
} from "../../generator/values/variants.js";
import { isRecord } from "../../runtime/typescript/values/validation.js";
import { valueFor } from "./arbitrary-types.js";
import {
  contract,
  enumeration,
  field,
  host,
  list,
  map,
  message,
  method,
  reference,
  scalar,
  service,
  struct,
  union,
} from "./contract-parts.js";

/** Names of fields, of which some exist on every object. */
const names = ["a", "b", "c", "toString", "constructor"];

/** Sets of tags, one of them for each union. */
const tagSets: readonly (readonly AllowedValue[])[] = [
  ["a", "__proto__", "constructor", "", 'a"b', "A", "😀"],
  [0, 1, 2, -1, 200, 404],
  [true, false],
];

const simple = fc.constantFrom(
  scalar("string"),
  scalar("int32"),
  scalar("bool"),
  scalar("timestamp"),
  reference("Level"),
  list(scalar("byte")),
  list(scalar("string")),
);

const someFields = fc.uniqueArray(
  fc
    .record({
      name: fc.constantFrom(...names),
      type: simple,
      isOptional: fc.boolean(),
      isNullable: fc.boolean(),
    })
    .map(({ name, type, ...parts }) => field(name, type, parts)),
  { minLength: 1, maxLength: 3, selector: ({ name }) => name },
);

/** A union and its structs. */
interface Drawn {
  readonly structs: readonly Struct[];
  readonly union: Union;
}

/** Draws a union with a tag, as a field of each variant. */
function taggedUnion(name: string): fc.Arbitrary<Drawn> {
  return fc
    .record({
      tag: fc.constantFrom("kind", ...names),
      tags: fc
        .constantFrom(...tagSets)
        .chain((all) => fc.shuffledSubarray([...all], { minLength: 2 })),
      bodies: fc.array(someFields, { minLength: 1, maxLength: 3 }),
      isOpen: fc.boolean(),
    })
    .map(({ bodies, isOpen, tag, tags }) => {
      const type = scalar(typeOfTag(tags[0]));
      const structs = bodies.slice(0, tags.length).map((body, at, all) => {
        // The last variant has all other tags.
        const isLast = at === all.length - 1;
        const own = isLast ? tags.slice(at) : tags.slice(at, at + 1);
        return struct(`${name}${at}`, [
          field(tag, type, { constraints: { enum: own } }),
          ...body.filter((each) => each.name !== tag),
        ]);
      });
      const variants = structs.map((each) => reference(each.name));
      return { structs, union: union(name, variants, { tag, isOpen }) };
    });
}

function typeOfTag(tag: AllowedValue | undefined): ScalarName {
  if (typeof tag === "boolean") return "bool";
  return typeof tag === "number" ? "int16" : "string";
}

/** Draws a union of fields of which exactly one is present. */
function choiceUnion(name: string): fc.Arbitrary<Drawn> {
  return fc
    .record({
      choices: fc.array(simple, { minLength: 2, maxLength: 3 }),
      shared: someFields,
    })
    .map(({ choices, shared }) => {
      const fields = choices.map((type, at) => field(`choice${at}`, type));
      const structs = fields.map((each, at) =>
        struct(`${name}${at}`, [...shared, each]),
      );
      const variants = structs.map((each) => reference(each.name));
      const choice = fields.map((each) => each.jsonName);
      return { structs, union: union(name, variants, { choice }) };
    });
}

/** Draws a union without a tag. Some of its variants can be other unions. */
function untaggedUnion(
  name: string,
  others: readonly string[],
): fc.Arbitrary<Drawn> {
  const kinds: readonly TypeReference[] = [
    scalar("string"),
    scalar("int32"),
    scalar("int64"),
    scalar("bigint"),
    scalar("bool"),
    scalar("null"),
    list(reference(name)),
    map(scalar("string"), reference("Level")),
    ...others.map(reference),
  ];
  return fc
    .record({
      bodies: fc.array(someFields, { minLength: 1, maxLength: 3 }),
      kinds: fc.shuffledSubarray([...kinds], { minLength: 1 }),
    })
    .map(({ bodies, kinds }) => {
      const structs = bodies.map((body, at) => struct(`${name}${at}`, body));
      const all = [...structs.map((each) => reference(each.name)), ...kinds];
      return { structs, union: union(name, all) };
    });
}

/** Removes variants whose values can also be of an earlier one. */
function withoutAmbiguities(subject: Contract, declared: Union): Union {
  const values = valuesOf(subject);
  const variants: TypeReference[] = [];
  for (const each of declared.variants) {
    const shapes = [...variants, each].map((type) => shapeOf(values, type));
    if (findAmbiguities(shapes).length === 0) variants.push(each);
  }
  return { ...declared, variants };
}

/** A contract whose request has unions of all forms. */
export const unionContract: fc.Arbitrary<Contract> = fc
  .record({
    tagged: taggedUnion("Tagged"),
    choice: choiceUnion("Choice"),
    untagged: untaggedUnion("Untagged", ["Tagged", "Choice"]),
    isOptional: fc.boolean(),
    isNullable: fc.boolean(),
    isSensitive: fc.boolean(),
    uniqueItems: fc.boolean(),
    // With few fields, values are more often valid.
    places: fc.subarray([0, 1, 2, 3, 4], { minLength: 1, maxLength: 2 }),
  })
  .map(({ choice, places, tagged, untagged, uniqueItems, ...parts }) => {
    const fields = ["Tagged", "Choice", "Untagged"].map((name) =>
      field(name.toLowerCase(), reference(name), parts),
    );
    const lists = field("lists", list(reference("Tagged")), {
      isOptional: true,
      constraints: { uniqueItems, maxItems: 3 },
    });
    const maps = field("maps", map(scalar("string"), reference("Untagged")), {
      isOptional: true,
    });
    const all = [...fields, lists, maps];
    const request = message(all.filter((_, at) => places.includes(at)));
    const send = method("Arbitrary", "Send", { request, response: request });
    const types = [
      enumeration("Level", ["low", "high", "toString"]),
      ...[tagged, choice, untagged].flatMap((each) => each.structs),
      tagged.union,
      choice.union,
    ];
    const hosts = [host("arbitrary", [service("Arbitrary", [send])])];
    const whole = contract([...types, untagged.union], hosts);
    return contract(
      [...types, withoutAmbiguities(whole, untagged.union)],
      hosts,
    );
  });

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, "__proto__", "", 0, 1, -1, 1.5, true, "a"),
  fc.constantFrom<unknown>([], {}, ["a"], { a: "a" }, "a".repeat(2000)),
  fc.jsonValue({ maxDepth: 1 }),
);

/** Draws values for the request of a contract. About half of them are valid. */
export function unionValues(subject: Contract): fc.Arbitrary<unknown> {
  const fields = requestOf(subject);
  const value = valueFor(subject, fields);
  const change = fc.record({
    at: fc.nat(),
    odd,
    how: fc.constantFrom("delete", "merge", "replace"),
  });
  return fc
    .tuple(
      value,
      value,
      fc.oneof(fc.constant([]), fc.array(change, { maxLength: 2 })),
    )
    .map(([first, second, changes]) => {
      const result: unknown = structuredClone(first);
      for (const { at, how, odd: other } of changes) {
        const places = placesIn(result);
        const place = places[at % Math.max(places.length, 1)];
        if (place === undefined) continue;
        const { key, owner } = place;
        if (how === "delete" && isRecord(owner)) {
          Reflect.deleteProperty(owner, key);
        } else if (how === "merge") {
          const more = placesIn(second).map(({ value }) => value);
          put(owner, key, merged(place.value, more[at % more.length]));
        } else {
          put(owner, key, structuredClone(other));
        }
      }
      return result;
    });
}

/** Sets a member, even one with the name `__proto__`. */
function put(owner: object, key: string, value: unknown): void {
  Object.defineProperty(owner, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function merged(one: unknown, other: unknown): unknown {
  return isRecord(one) && isRecord(other)
    ? structuredClone({ ...other, ...one })
    : structuredClone(other ?? null);
}

interface UnionPlace {
  readonly owner: object;
  readonly key: string;
  readonly value: unknown;
}

/** Returns the places of all members and items of JSON. */
function placesIn(json: unknown): readonly UnionPlace[] {
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([key, value]) => [
    { owner: json, key, value },
    ...placesIn(value),
  ]);
}

/** Returns the fields of the only request of a contract. */
export function requestOf(subject: Contract): readonly Field[] {
  return subject.hosts[0]?.services[0]?.methods[0]?.request.fields ?? [];
}

/**
 * Returns a test of whether JSON contains an object that has the required
 * fields of several variants of a union without a tag or choice. Servers read it as the
 * first one, but JSON Schema has no keyword for that.
 */
export function overlapsIn(subject: Contract): (json: unknown) => boolean {
  const values = valuesOf(subject);
  const unions = subject.types.filter(
    (each): each is Union =>
      each.kind === "union" && each.tag === null && each.choice.length === 0,
  );
  const isOverlap = (json: unknown): boolean =>
    isRecord(json) &&
    unions.some((each) => {
      const all = variantsOf(values)(each);
      const fitting = all.filter(
        (variant) => findVariant(each, [variant], json) !== null,
      );
      return fitting.length > 1;
    });
  return (json) =>
    isOverlap(json) || placesIn(json).some(({ value }) => isOverlap(value));
}

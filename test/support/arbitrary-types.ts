import fc from "fast-check";
import type {
  Constraints,
  Contract,
  Field,
  ScalarName,
  TypeReference,
  Union,
} from "../../generator/ir/contract.js";
import {
  extraFieldOf,
  membersAmong,
} from "../../generator/ir/extra-members.js";
import { scalarNames, scalars } from "../../generator/ir/scalars.js";
import { formats } from "../../generator/ir/text-rule.js";
import { createIndex } from "../../generator/values/resolve.js";
import { valuesOf } from "../../generator/values/value.js";
import { finiteFirst } from "../../generator/values/finite-first.js";
import { codePoint } from "../../tools/test/code-point.js";
import { isRecord } from "../../runtime/typescript/values/validation.js";
import {
  alias,
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

/** All core types but files, which are not JSON. */
const jsonNames = scalarNames.filter((name) => name !== "file");

const fieldNames = [
  ...["a", "bC", "constructor", "toString", "__proto__", "hasOwnProperty"],
  ...["x-y", "value", "日", "1.5", 'say "it\'s"'],
];

/** The structs of unions, and unions in every form. */
const unions = [
  struct("Circle", [
    field("kind", scalar("string"), {
      constraints: { enum: ["circle", "__proto__"] },
    }),
    field("at", scalar("timestamp")),
    field("toString", scalar("int64"), { isOptional: true }),
  ]),
  struct("Square", [
    field("kind", scalar("string"), { constraints: { enum: ["square"] } }),
    field("blob", list(scalar("byte"))),
  ]),
  // A tag can be a number or a boolean, and a field of any name.
  struct("Won", [
    field("constructor", scalar("bool"), { constraints: { enum: [true] } }),
    field("sum", scalar("bigint")),
  ]),
  struct("Lost", [
    field("constructor", scalar("bool"), { constraints: { enum: [false] } }),
    field("rest", scalar("any"), { isOptional: true }),
  ]),
  struct("Found", [
    field("status", scalar("uint16"), { constraints: { enum: [200, 201] } }),
    field("shape", reference("Shape")),
  ]),
  struct("Missing", [
    field("status", scalar("uint16"), { constraints: { enum: [404] } }),
    field("since", scalar("timestamp"), { isNullable: true }),
  ]),
  struct("PaymentCard", [
    field("id", scalar("string"), { isOptional: true }),
    field("card", reference("Square")),
  ]),
  struct("PaymentIban", [
    field("id", scalar("string"), { isOptional: true }),
    field("iban", scalar("string")),
  ]),
  union("Shape", [reference("Circle"), reference("Square")], { tag: "kind" }),
  union("OpenShape", [reference("Circle"), reference("Square")], {
    tag: "kind",
    isOpen: true,
  }),
  union("Result", [reference("Won"), reference("Lost")], {
    tag: "constructor",
  }),
  union("Answer", [reference("Found"), reference("Missing")], {
    tag: "status",
    isOpen: true,
  }),
  union("Payment", [reference("PaymentCard"), reference("PaymentIban")], {
    choice: ["card", "iban"],
  }),
  union("Moment", [scalar("timestamp"), scalar("int64"), reference("Won")]),
  union("Bytes", [
    list(scalar("uint8")),
    reference("Smaller"),
    reference("Marks"),
    scalar("bool"),
    scalar("null"),
    reference("Scores"),
  ]),
  union("Tree", [reference("Grade"), list(reference("Tree"))]),
  union("Object", [
    reference("Missing"),
    reference("Shape"),
    reference("Payment"),
  ]),
];

/** The types that the arbitrary types below refer to. */
export const fixedTypes = [
  enumeration("Side", ["listing", "offer", "__proto__", "toString"]),
  enumeration(
    "Many",
    Array.from({ length: 12 }, (_, i) => `v${i}`),
  ),
  alias("Word", scalar("string"), { pattern: "^[a-z]*$", maxLength: 4 }),
  alias("ShortWord", reference("Word"), { minLength: 1, pattern: "a|b" }),
  alias("Small", scalar("int32"), { minimum: -3, maximum: 300 }),
  alias("Smaller", reference("Small"), { maximum: 9 }),
  alias("Words", list(reference("ShortWord")), { maxItems: 2 }),
  alias(
    "Digits",
    scalar("string"),
    { pattern: "^[0-9]{1,3}$" },
    { acceptsInteger: true },
  ),
  alias("Code", reference("Digits"), { minLength: 2 }),
  alias("Link", scalar("string"), { format: "uri" }),
  alias("ShortLink", reference("Link"), { pattern: "a", maxLength: 20 }),
  alias("Short", scalar("string"), { maxLength: 2 }),
  alias("Mark", reference("Short"), {}, { acceptsInteger: true }),
  // Lists of values that have several forms in JSON.
  alias("Marks", list(reference("Mark")), { uniqueItems: true }),
  alias("Ids", list(scalar("bigint")), { uniqueItems: true }),
  alias("Times", list(map(scalar("string"), scalar("timestamp"))), {
    uniqueItems: true,
  }),
  alias("Grade", scalar("string"), { enum: ["", "a", 'a"b', "😀"] }),
  alias("Success", scalar("uint16"), { enum: [200, 201, 300] }),
  alias("Created", reference("Success"), { maximum: 250 }),
  alias("Wide", scalar("int64"), { enum: [5, 2n ** 60n + 1n] }),
  alias("Amount", scalar("bigint"), { enum: ["0", "7"] }),
  alias("Huge", scalar("float64"), { enum: [0.5, 1e20, 0] }),
  alias("SomeSide", reference("Side"), { enum: ["listing", "toString"] }),
  alias("SomeMark", reference("Mark"), { enum: ["1", "12", "b", "Z"] }),
  // Items that can be null.
  alias("MaybeWord", reference("Word"), {}, { isNullable: true }),
  alias("MaybeId", scalar("bigint"), {}, { isNullable: true }),
  alias("MaybeTime", scalar("timestamp"), {}, { isNullable: true }),
  alias("MaybeLeaf", reference("Leaf"), {}, { isNullable: true }),
  alias("MaybeTimes", list(reference("MaybeTime")), {}, { isNullable: true }),
  alias("MaybeWords", list(reference("MaybeWord"))),
  alias("MaybeIds", list(reference("MaybeId")), { uniqueItems: true }),
  alias("MaybeGrid", list(reference("MaybeTimes"))),
  alias("MaybeLeaves", map(scalar("string"), reference("MaybeLeaf"))),
  alias("Scores", map(scalar("uint8"), reference("Smaller")), {
    minProperties: 1,
  }),
  // Structs that collect extra members.
  struct("Bag", [
    field("more", map(scalar("string"), scalar("bigint")), { isExtra: true }),
    field("value", scalar("timestamp"), { isOptional: true }),
  ]),
  struct("Sack", [
    field("constructor", scalar("bool")),
    field("a", map(scalar("string"), reference("MaybeTimes")), {
      isExtra: true,
      isOptional: true,
    }),
  ]),
  ...unions,
];

/** Types of fields. Those of nullable fields are only items here. */
const fieldTypes = fixedTypes
  .filter((each) => each.kind !== "alias" || !each.isNullable)
  .map(({ name }) => name);

const type: fc.Arbitrary<TypeReference> = fc.letrec<{ type: TypeReference }>(
  (tie) => ({
    type: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.constantFrom(...jsonNames).map(scalar),
      fc.constantFrom(...fieldTypes, "Node", "Leaf").map(reference),
      tie("type").map(list),
      fc
        .tuple(
          fc.constantFrom(
            scalar("string"),
            scalar("int8"),
            scalar("uint8"),
            reference("Side"),
            reference("SomeSide"),
            reference("Grade"),
            reference("Success"),
          ),
          tie("type"),
        )
        .map(([key, value]) => map(key, value)),
    ),
  }),
).type;

/** Whether a type is written as base64 text. */
function isBytes(type: TypeReference): boolean {
  return (
    type.kind === "list" &&
    type.element.kind === "scalar" &&
    /^(?:byte|uint8)$/u.test(type.element.name)
  );
}

/** Draws limits that a type allows, or none. */
function limitsFor(subject: TypeReference): fc.Arbitrary<Constraints> {
  const empty = fc.constant<Constraints>({});
  if (subject.kind === "list") {
    if (isBytes(subject)) return empty;
    return fc.oneof(
      empty,
      fc.constantFrom<Constraints>(
        { minItems: 1 },
        { maxItems: 1 },
        { minItems: 1, maxItems: 2, uniqueItems: true },
        { uniqueItems: true },
      ),
    );
  }
  if (subject.kind === "map") {
    return fc.constantFrom<Constraints>({}, { maxProperties: 1 });
  }
  if (subject.kind === "reference") {
    return subject.name === "Word" || subject.name === "ShortWord"
      ? fc.constantFrom<Constraints>({}, { maxLength: 2 }, { pattern: "^a" })
      : subject.name === "Digits" || subject.name === "Mark"
        ? fc.constantFrom<Constraints>({}, { maxLength: 1 })
        : fc.constantFrom<Constraints>({}, fewerValues[subject.name] ?? {});
  }
  if (subject.name === "string") {
    return fc.constantFrom<Constraints>(
      {},
      { minLength: 1, maxLength: 3 },
      { minLength: 2, maxLength: 2 },
      { minLength: 2 },
      { pattern: "^\\p{L}/?" },
      { format: "uri" },
      { format: "uri", pattern: "b" },
      { enum: ["a", "😀", "", "abcde", "é/", "Z", "1", "12", "b"] },
      { enum: ["a"] },
    );
  }
  if (/int|byte|float/u.test(subject.name) && subject.name !== "bigint") {
    return fc.constantFrom<Constraints>(
      {},
      { minimum: 1 },
      { maximum: 7 },
      { minimum: 0, maximum: 5 },
      { enum: [0, 5, 9] },
      { enum: [1] },
    );
  }
  if (subject.name === "bool") {
    return fc.constantFrom<Constraints>({}, { enum: [true] });
  }
  return empty;
}

/** Lists that leave some values of a type. */
const fewerValues: Readonly<Record<string, Constraints>> = {
  Many: { enum: Array.from({ length: 10 }, (_, i) => `v${i}`) },
  Side: { enum: ["offer"] },
  SomeMark: { enum: ["12", "Z"] },
  Success: { enum: [300] },
  Wide: { maximum: 9 },
};

const oneField: fc.Arbitrary<Field> = type.chain((reference) =>
  fc
    .record({
      name: fc.constantFrom(...fieldNames),
      constraints: limitsFor(reference),
      isOptional: fc.boolean(),
      isNullable: fc.boolean(),
      isSensitive: fc.boolean(),
    })
    .map(({ name, ...parts }) => field(name, reference, parts)),
);

/** Fields of all types, with different names. */
export const someFields = fc.uniqueArray(oneField, {
  minLength: 1,
  maxLength: 5,
  selector: ({ name }) => name,
});

/** A contract with one method whose request can contain types of all kinds. */
export const arbitraryContract: fc.Arbitrary<Contract> = fc
  .tuple(someFields, someFields, someFields)
  .map(([leaf, node, request]) =>
    contract(
      [
        ...fixedTypes,
        struct("Leaf", leaf.map(withoutStructs)),
        struct("Node", [
          ...node.filter(({ name }) => name !== "value").map(withoutStructs),
          field("value", list(reference("Node"))),
        ]),
      ],
      [
        host("arbitrary", [
          service("Arbitrary", [
            method("Arbitrary", "Send", {
              request: message(request),
              response: message(request),
            }),
          ]),
        ]),
      ],
    ),
  );

/**
 * Replaces structs in a field's type. Only the lists of `Node` remain
 * recursive, so every value is finite.
 */
export function withoutStructs(subject: Field): Field {
  const strip = (inner: TypeReference): TypeReference => {
    if (inner.kind === "list") return list(strip(inner.element));
    if (inner.kind === "map") return map(inner.key, strip(inner.value));
    const isStruct =
      inner.kind === "reference" && /^(?:Node|Leaf)$/u.test(inner.name);
    return isStruct ? scalar("bool") : inner;
  };
  const type = strip(subject.type);
  return type.kind === subject.type.kind
    ? { ...subject, type }
    : { ...subject, type, constraints: {} };
}

const numbers = fc.constantFrom(
  ...[0, 1, 5, 9, -1, 200, 300, 255, 0.5, 1e20, -1e20],
  ...[2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, -(2 ** 53)],
);
const texts = fc.constantFrom(
  ...["", "a", "ab", "abc", "abcde", "b", "Z", "😀", "é/", "listing"],
  ...['a"b', "\\", "\n", "\u2028", "\ud800", "\ud800a"],
  ...["toString", "v3", "1", "12", "-7", "007", "AAE=", "AA==", "AAF=", "A"],
  ...["2024-02-29T12:00:00Z", "2023-02-29T12:00:00Z"],
  ...["2024-02-29T12:00:00.123456789Z", "2024-02-29T12:00:00+01:00"],
  ...Object.values(formats).flatMap(({ faults, samples }) => [
    ...samples,
    ...faults,
  ]),
  ...["2024-02-29t12:00:00z", "2016-12-31T23:59:60Z", "2024-02-29T12:00:60Z"],
);
const anything = fc.oneof(
  numbers,
  texts,
  // Servers keep null in undeclared values, but clients do not.
  fc.jsonValue({ maxDepth: 2, stringUnit: codePoint }).map(withoutNulls),
);

/** Removes members with a null value at any depth. */
function withoutNulls(value: unknown): unknown {
  const text = JSON.stringify(value, (_, item: unknown) =>
    isRecord(item)
      ? Object.fromEntries(
          Object.entries(item).filter(([, member]) => member !== null),
        )
      : item,
  );
  return JSON.parse(text);
}

/** Draws a value that mostly conforms to a message, with some faults. */
export function valueFor(
  subject: Contract,
  fields: readonly Field[],
): fc.Arbitrary<unknown> {
  const index = createIndex(subject);

  function ofFields(list: readonly Field[], depth: number) {
    const members = membersAmong(list);
    const required = members.filter(({ isOptional }) => !isOptional);
    const shape = members.map(
      (item) => [item.jsonName, ofField(item, depth)] as const,
    );
    const record = fc.record(Object.fromEntries(shape), {
      requiredKeys: required.map(({ jsonName }) => jsonName),
    });
    const extra = extraFieldOf(list);
    if (extra === undefined) return record;
    return fc
      .tuple(record, ofField(extra, depth))
      .map(([own, more]) => ({ ...Object(more), ...own }));
  }

  function ofField(item: Field, depth: number): fc.Arbitrary<unknown> {
    const listed = ofList(item);
    return fc.oneof(
      { arbitrary: listed ?? ofType(item.type, depth), weight: 12 },
      { arbitrary: ofType(item.type, depth), weight: listed ? 2 : 0 },
      { arbitrary: fc.constant(null), weight: item.isNullable ? 3 : 1 },
    );
  }

  /** Draws a listed value that `JSON.stringify` can write. */
  function ofList(of: Field | TypeReference): fc.Arbitrary<unknown> | null {
    const values = index
      .constraintsOf(of)
      .enum?.filter((value) => typeof value !== "bigint");
    return values?.length ? fc.constantFrom(...values) : null;
  }

  function ofType(of: TypeReference, depth: number): fc.Arbitrary<unknown> {
    const listed = ofList(of);
    return fc.oneof(
      { arbitrary: listed ?? fitting(of, depth), weight: 24 },
      { arbitrary: fitting(of, depth), weight: listed ? 2 : 0 },
      { arbitrary: anything, weight: 1 },
    );
  }

  function ofUnion(declared: Union, depth: number): fc.Arbitrary<unknown> {
    const { isOpen, tag, variants } = declared;
    const finite = finiteFirst(valuesOf(subject), declared);
    const drawn = (depth > 2 ? finite.slice(0, 1) : variants).map((each) =>
      ofType(each, depth + 1),
    );
    if (isOpen && tag !== null)
      drawn.push(fc.record({ [tag]: anything, more: anything }));
    return fc.oneof(...drawn);
  }

  function fitting(of: TypeReference, depth: number): fc.Arbitrary<unknown> {
    const type = index.resolve(of);
    const isDeep = depth > 3;
    switch (type.kind) {
      case "list":
        if (isDeep && !isBytes(type)) return fc.constant([]);
        return fc.oneof(
          {
            arbitrary: fc.array(ofType(type.element, depth + 1), {
              maxLength: 2,
            }),
            weight: isBytes(type) ? 1 : 8,
          },
          { arbitrary: fc.constant("AAE="), weight: isBytes(type) ? 8 : 1 },
        );
      case "map":
        if (isDeep) return fc.constant({});
        return fc.dictionary(
          fc.constantFrom("0", "7", "-7", "listing", "toString", "300", "x"),
          ofType(type.value, depth + 1),
          { maxKeys: 2 },
        );
      case "reference": {
        const declared = index.type(type.name);
        if (declared.kind === "struct") {
          return ofFields(declared.fields, depth + 1);
        }
        if (declared.kind === "union") return ofUnion(declared, depth);
        return declared.kind === "enum"
          ? fc.constantFrom(...declared.members.map((m) => m.jsonValue))
          : anything;
      }
      case "scalar": {
        const drawn = ofScalar(type.name);
        return index.aliasesFrom(of).some((each) => each.acceptsInteger)
          ? fc.oneof(drawn, fc.constantFrom(1, 12, -7, 120, 1200))
          : drawn;
      }
    }
  }

  return ofFields(fields, 0).map((value): unknown =>
    JSON.parse(JSON.stringify(value)),
  );
}

function ofScalar(name: ScalarName): fc.Arbitrary<unknown> {
  if (name === "any") return fc.jsonValue({ maxDepth: 1 });
  if (name === "bool") return fc.boolean();
  if (name === "null") return fc.constant(null);
  const { text } = scalars[name];
  if (name === "string") return texts;
  if (text !== null)
    return fc.oneof(
      fc.constantFrom(...text.samples),
      fc.maxSafeNat().map(text.draw),
    );
  return fc.oneof({ arbitrary: fc.nat(9), weight: 4 }, numbers);
}

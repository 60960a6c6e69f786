import type {
  AllowedValue,
  Constraints,
  Field,
  ScalarName,
  TypeReference,
  Union,
} from "../../../generator/ir/contract.js";
import { isBytes } from "../../support/is-bytes.js";
import { scalars } from "../../../generator/ir/scalars.js";
import type { Side } from "../../../tools/breaking/diff/facts/change.js";
import { valuesOf } from "../../../generator/values/value.js";
import { finiteFirst } from "../../../generator/values/finite-first.js";
import { isRecord } from "../../../runtime/typescript/values/validation.js";
import type { Version } from "./build-version.js";
import type { Random } from "../../support/random.js";

/** Candidates for the values in messages. */
export interface Pool {
  readonly numbers: readonly (number | bigint)[];
  readonly texts: readonly string[];
  readonly counts: readonly number[];
  /** Names of fields, which another version can have as extra members. */
  readonly names: readonly string[];
}

const sampleStrings = [
  ...["", "a", "ab", "abc", "abcd", "z", "xyz", "Zz", "0x12", "0xabcd"],
  ...[
    "latest",
    "vx.json",
    "7",
    "12",
    "1234",
    "123456",
    "red",
    "https://example.com/a",
    "a,b",
    "ä/?",
  ],
  ...["2024-02-29T12:00:00Z", "aGk=", "abcdefghijk"],
];

/** Collects common values and values close to the limits in two versions. */
export function poolOf(versions: readonly Version[]): Pool {
  const constraints = versions.flatMap(({ contract }) =>
    contract.types.flatMap((type) =>
      type.kind === "struct"
        ? type.fields.map((field) => field.constraints)
        : type.kind === "alias"
          ? [type.constraints]
          : [],
    ),
  );
  const counts = constraints.flatMap((each) =>
    [
      ...[each.minLength, each.maxLength, each.minItems, each.maxItems],
      ...[each.minProperties, each.maxProperties],
    ].filter((count) => count !== undefined),
  );
  const values = versions.flatMap(({ contract }) =>
    contract.types.flatMap((type) =>
      type.kind === "enum"
        ? type.members.map(({ jsonValue }) => jsonValue)
        : [],
    ),
  );
  const numbers = constraints.flatMap(({ minimum, maximum }) =>
    [minimum, maximum].filter((limit) => limit !== undefined),
  );
  return {
    numbers: [
      ...numbers.flatMap((limit) => {
        const whole = BigInt(limit);
        return [whole - 1n, whole, whole + 1n];
      }),
      ...Object.values(scalars).flatMap(({ range }) => range ?? []),
      ...[0, 1, -1, 5, 0.5, 1e20, 2n ** 60n + 1n, -(2n ** 60n) - 1n],
    ],
    texts: [
      ...sampleStrings,
      ...values,
      ...counts.flatMap((count) => [
        "a".repeat(count),
        "a".repeat(count + 1),
        "0x".padEnd(count, "a"),
      ]),
    ],
    names: versions.flatMap(({ contract }) =>
      contract.types.flatMap((type) =>
        type.kind === "struct"
          ? type.fields.map(({ jsonName }) => jsonName)
          : [],
      ),
    ),
    counts: [0, 1, 2, ...counts.flatMap((count) => [count, count + 1])],
  };
}

/** Draws messages in the form that a version's code uses. */
export class ValueDraw {
  readonly #version: Version;
  readonly #pool: Pool;
  readonly #random: Random;
  readonly #direction: Side;

  constructor(version: Version, pool: Pool, random: Random, direction: Side) {
    this.#version = version;
    this.#pool = pool;
    this.#random = random;
    this.#direction = direction;
  }

  message(fields: readonly Field[], depth = 0): Record<string, unknown> {
    const entries = fields.flatMap((field): [string, unknown][] => {
      // A struct in a union in a list of a message has a depth of 3.
      const isAbsent = depth > 3 || this.#random.chance(0.4);
      if (field.isOptional && isAbsent) return [];
      if (field.isNullable && this.#random.chance(0.4)) {
        return [[field.jsonName, null]];
      }
      const value = this.#value(field, field.type, depth);
      const isOwn = field.isExtra && isRecord(value);
      return [[field.jsonName, isOwn ? this.#extra(value, fields) : value]];
    });
    return Object.fromEntries(entries);
  }

  /** Names some extra members like fields of other versions or structs. */
  #extra(
    members: Record<string, unknown>,
    fields: readonly Field[],
  ): Record<string, unknown> {
    const entries = Object.entries(members)
      .map(([name, value]) => [
        this.#random.chance(0.5)
          ? (this.#random.maybeOneOf(this.#pool.names) ?? name)
          : name,
        value,
      ])
      .filter(([name]) =>
        fields.every((each) => each.isExtra || each.jsonName !== name),
      );
    return Object.fromEntries(entries);
  }

  #value(
    subject: Field | TypeReference,
    reference: TypeReference,
    depth: number,
  ): unknown {
    const { index } = this.#version;
    const type = index.resolve(reference);
    const along = index.constraintsAlong(subject);
    const listed = index.constraintsOf(subject).enum;
    if (listed !== undefined) return this.#listed(listed, subject, type);
    switch (type.kind) {
      case "list": {
        if (isBytes(index, type)) {
          return new Uint8Array(this.#count(along, "Items", depth)).fill(7);
        }
        const count = this.#count(along, "Items", depth);
        const items = Array.from({ length: count }, () =>
          this.#item(type.element, depth),
        );
        const isUnique = along.some(({ uniqueItems }) => uniqueItems);
        return isUnique || this.#random.chance(0.6)
          ? items
          : items.map(() => items[0]);
      }
      case "map": {
        const count = this.#count(along, "Properties", depth);
        return Object.fromEntries(
          Array.from({ length: count }, () => [
            this.#key(type.key),
            this.#item(type.value, depth),
          ]),
        );
      }
      case "reference": {
        const declared = index.type(type.name);
        if (declared.kind === "struct") {
          return this.message(declared.fields, depth + 1);
        }
        if (declared.kind === "union") return this.#variant(declared, depth);
        return declared.kind === "enum"
          ? this.#random.maybeOneOf(declared.members)?.jsonValue
          : null;
      }
      case "scalar":
        return this.#scalar(type.name, along, subject);
    }
  }

  #variant(union: Union, depth: number): unknown {
    const { tag, isOpen } = union;
    if (isOpen && tag !== null && this.#random.chance(0.2)) {
      return { [tag]: "unknown", more: [1, { a: "b" }] };
    }
    const finite = finiteFirst(valuesOf(this.#version.contract), union);
    const types = depth > 2 ? finite.slice(0, 1) : finite;
    const type = this.#random.maybeOneOf(types);
    return type && this.#value(type, type, depth);
  }

  /** Draws a listed value in the form that code uses. */
  #listed(
    listed: readonly AllowedValue[],
    subject: Field | TypeReference,
    type: TypeReference,
  ): unknown {
    const { index, modes } = this.#version;
    const value = this.#random.maybeOneOf(listed);
    if (type.kind !== "scalar" || value === undefined) return value;
    const isWide = type.name === "int64" || type.name === "uint64";
    const isExact = isWide && modes.int64 === "bigint";
    return type.name === "bigint" || (isExact && !index.isSafeInteger(subject))
      ? BigInt(value)
      : value;
  }

  #item(type: TypeReference, depth: number): unknown {
    const { index } = this.#version;
    const isNullable = index.aliasesFrom(type).some((each) => each.isNullable);
    return isNullable && this.#random.chance(0.4)
      ? null
      : this.#value(type, type, depth + 1);
  }

  #count(
    along: readonly Constraints[],
    what: "Items" | "Properties",
    depth: number,
  ): number {
    const fits = (count: number): boolean =>
      along.every(
        (each) =>
          count >= (each[`min${what}`] ?? 0) &&
          count <= (each[`max${what}`] ?? Infinity),
      );
    const few = this.#pool.counts.filter((count) => depth < 2 || count < 2);
    return this.#oneOfSorted(few.filter(fits).sort((a, b) => a - b)) ?? 1;
  }

  /** Favors the first and last items, because they reach the limits. */
  #oneOfSorted<Item>(items: readonly Item[]): Item | undefined {
    return this.#random.chance(0.4)
      ? items.at(-this.#random.below(2))
      : this.#random.maybeOneOf(items);
  }

  #key(reference: TypeReference): string {
    const { index } = this.#version;
    const type = index.resolve(reference);
    if (type.kind === "reference") {
      const declared = index.type(type.name);
      if (declared.kind !== "enum") return "";
      return this.#random.maybeOneOf(declared.members)?.jsonValue ?? "";
    }
    return reference.kind === "scalar" && reference.name === "string"
      ? this.#random.oneOf(["k", "0", "7", "-7", "300", "red", "99999999999"])
      : String(this.#value(reference, reference, 9));
  }

  #scalar(
    name: ScalarName,
    along: readonly Constraints[],
    subject: Field | TypeReference,
  ): unknown {
    const { index, modes } = this.#version;
    switch (name) {
      case "any":
        return this.#random.oneOf([5, "x", true, [1, "a"], { k: 1 }]);
      case "bool":
        return this.#random.chance(0.5);
      case "null":
        return null;
      case "file":
        return new File(["hi"], "hi.txt", { type: "text/plain" });
      case "string":
        return this.#textOrInteger(along, subject);
      case "timestamp": {
        // The form of `toISOString()`, because values are compared as text even
        // if only one of the two versions uses dates.
        const text = this.#random.oneOf([
          "2024-02-29T12:00:00.000Z",
          "1999-12-31T23:59:59.500Z",
          "2024-02-29T12:00:00.123Z",
        ]);
        return modes.timestamp === "date" ? new Date(text) : text;
      }
      case "bigint":
        return this.#number(along, (value) => typeof value === "bigint");
      case "float32":
      case "float64":
        return Number(this.#number(along, () => true));
      default: {
        const [lowest, highest] = scalars[name].range;
        const value = this.#number(
          along,
          (each) =>
            (typeof each === "bigint" || Number.isSafeInteger(each)) &&
            each >= lowest &&
            each <= highest,
        );
        const isWide = name === "int64" || name === "uint64";
        const isExact = isWide && modes.int64 === "bigint";
        if (isExact && !index.isSafeInteger(subject)) return BigInt(value);
        // Code that uses `number` cannot represent other integers.
        return Number.isSafeInteger(Number(value)) ? Number(value) : 1;
      }
    }
  }

  #number(
    along: readonly Constraints[],
    fits: (value: number | bigint) => boolean,
  ): number | bigint {
    const candidates = this.#pool.numbers.filter(
      (value) =>
        fits(value) &&
        along.every(
          ({ minimum = -Infinity, maximum = Infinity }) =>
            value >= minimum && value <= maximum,
        ),
    );
    candidates.sort((a, b) => (a < b ? -1 : 1));
    return this.#oneOfSorted(candidates) ?? 1n;
  }

  /**
   * Returns a value to send for a string type, which may also accept integers.
   */
  #textOrInteger(
    along: readonly Constraints[],
    subject: Field | TypeReference,
  ): unknown {
    const reference = subject.kind === "field" ? subject.type : subject;
    const accepts = this.#version.index
      .aliasesFrom(reference)
      .some((alias) => alias.acceptsInteger);
    const isAnswer = this.#direction === "response";
    if (!accepts || isAnswer || this.#random.chance(0.5)) {
      return this.#text(along);
    }
    const number = Number(this.#text(along, /^(?:0|[1-9]\d{0,9})$/u));
    return number === 0 ? this.#text(along) : number;
  }

  #text(along: readonly Constraints[], form = /^/u): string {
    const fits = (text: string): boolean =>
      form.test(text) &&
      along.every(
        ({ minLength = 0, maxLength = Infinity, pattern = "", format }) =>
          text.length >= minLength &&
          text.length <= maxLength &&
          new RegExp(pattern, "u").test(text) &&
          (format === undefined || text.startsWith("https:")),
      );
    const texts = this.#pool.texts.filter(fits);
    return this.#oneOfSorted(texts.sort((a, b) => a.length - b.length)) ?? "";
  }
}

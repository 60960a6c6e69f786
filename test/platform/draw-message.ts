import type { Field, TypeReference } from "../../generator/ir/contract.js";
import type { ContractIndex } from "../../generator/values/resolve.js";
import type { Random } from "../support/random.js";

/** Values that mean something to the server, like those that people send. */
export interface Known {
  readonly texts: readonly string[];
  readonly integers: readonly number[];
  /**
   * Values by field name. A field can also contain lists of its values, or maps
   * with its values as keys.
   */
  readonly byField: Readonly<Record<string, readonly unknown[]>>;
}

/** Marks a string as raw JSON text, such as a number with too many digits. */
const rawJson = "raw JSON: ";

/** A message and the JSON text that is sent. */
export interface DrawnMessage {
  readonly message: object;
  readonly text: string;
}

/** Puts up to two faults into the message, and returns it with its text. */
export function drawFaults(random: Random, message: object): DrawnMessage {
  for (let faults = random.below(4); faults > 1; faults -= 1) {
    corrupt(random, message);
  }
  const raw = new RegExp(`"${rawJson}([^"]*)"`, "gu");
  return { message, text: JSON.stringify(message).replaceAll(raw, "$1") };
}

/** Draws a message. It is valid if each field has a known value that fits. */
export function drawMessage(
  index: ContractIndex,
  known: Known,
  random: Random,
  fields: readonly Field[],
): object {
  return drawFields(fields, 0);

  function drawFields(of: readonly Field[], depth: number): object {
    const drawn = of.flatMap((field) => {
      if (field.isOptional && random.chance(depth > 2 ? 1 : 0.5)) return [];
      const isNull = field.isNullable && random.chance(0.3);
      const usual = known.byField[field.jsonName];
      const value = isNull ? null : draw(field, field.type, depth, usual);
      return [[field.jsonName, value] as const];
    });
    return Object.fromEntries(drawn);
  }

  function draw(
    subject: Field | TypeReference,
    reference: TypeReference,
    depth: number,
    usual: readonly unknown[] = [],
  ): unknown {
    const type = index.resolve(reference);
    switch (type.kind) {
      case "list": {
        const { minItems = 0 } = index.constraintsOf(subject);
        const count = depth > 3 ? minItems : minItems + random.below(3);
        return Array.from({ length: count }, () =>
          draw(type.element, type.element, depth + 1, usual),
        );
      }
      case "map": {
        const entries = Array.from({ length: random.below(3) }, () => [
          String(draw(type.key, type.key, depth + 1, usual)),
          draw(type.value, type.value, depth + 1),
        ]);
        return Object.fromEntries(entries);
      }
      case "reference": {
        const declared = index.type(type.name);
        if (declared.kind === "struct") {
          return drawFields(declared.fields, depth + 1);
        }
        if (declared.kind !== "enum") return null;
        return random.maybeOneOf(declared.members)?.jsonValue;
      }
      case "scalar":
        return usual.length > 0 && random.chance(0.9)
          ? random.maybeOneOf(usual)
          : drawScalar(subject, type.name);
    }
  }

  function drawScalar(subject: Field | TypeReference, name: string): unknown {
    if (name === "bool") return random.chance(0.5);
    if (name === "any") return random.maybeOneOf([1, "a", null, { a: [] }]);
    const limits = index.constraintsAlong(subject);
    if (name !== "string" && name !== "timestamp" && name !== "bigint") {
      const { minimum = 0, maximum = 1e9 } = index.constraintsOf(subject);
      const fitting = [...known.integers, 0, 1, 2, 100].filter(
        (each) => each >= minimum && each <= maximum,
      );
      return random.maybeOneOf(fitting);
    }
    const fitting = known.texts.filter((text) =>
      limits.every(
        ({ minLength = 0, maxLength = Infinity, pattern }) =>
          text.length >= minLength &&
          text.length <= maxLength &&
          (pattern === undefined || new RegExp(pattern, "u").test(text)),
      ),
    );
    return random.maybeOneOf(fitting) ?? "";
  }
}

/** Replaces or removes one value in a message. */
function corrupt(random: Random, whole: object): void {
  let place: object = whole;
  for (;;) {
    const keys = Object.keys(place);
    const key = random.maybeOneOf(keys) ?? "made up";
    const inner: unknown = Reflect.get(place, key);
    const isDeeper = typeof inner === "object" && inner !== null;
    if (!isDeeper || random.chance(0.2)) {
      if (random.chance(0.1)) Reflect.deleteProperty(place, key);
      else Reflect.set(place, key, drawHostile(random, inner));
      return;
    }
    place = inner;
  }
}

/** Draws a value that may be unexpected in its position. */
function drawHostile(random: Random, value: unknown): unknown {
  const text = typeof value === "string" ? value : "";
  const [big, huge] = [1_000_000, 10_000];
  const kinds: readonly (() => unknown)[] = [
    () => `${text}\u0000`,
    () => `${text}\u001b[31m\u202e\r\n`,
    () => `\ud800${text}`,
    () => `${text}\udfff`,
    () => text.toUpperCase(),
    () => ` ${text} `,
    () => text.slice(1),
    () => "",
    () => "' or 1=1; --",
    () => "../../etc/passwd",
    () => "%00%ff",
    () => "http://169.254.169.254/latest",
    () => random.maybeOneOf(["__proto__", "constructor", "toString", "null"]),
    () => random.maybeOneOf([null, true, 1.5, -1, 0, -0, 1e308, 5e-324]),
    () => random.maybeOneOf([2 ** 31, 2 ** 32, 2 ** 53, 1e21, -(2 ** 63)]),
    () =>
      rawJson +
      (random.maybeOneOf([
        ...["9223372036854775807", "9223372036854775808", "1E400", "-0"],
        ...["18446744073709551615", "18446744073709551616", "1e-400"],
      ]) ?? "0"),
    () => "9".repeat(random.maybeOneOf([20, 77, 78, 79, 400]) ?? 1),
    () => [],
    () => ({}),
    () => [value],
    () => ({ ["__proto__"]: value, constructor: null }),
    () => (random.chance(0.1) ? "a".repeat(big) : "a".repeat(huge)),
    () => (random.chance(0.1) ? "💥".repeat(big / 4) : "\u0301".repeat(huge)),
    () =>
      Array.from({ length: random.chance(0.2) ? huge : 101 }, () =>
        Array.isArray(value) ? value[0] : value,
      ),
    () => rawJson + "[".repeat(huge) + "]".repeat(huge),
  ];
  return random.maybeOneOf(kinds)?.();
}

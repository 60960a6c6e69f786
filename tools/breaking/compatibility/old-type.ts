import type {
  Constraints,
  Field,
  TypeReference,
} from "../../../generator/ir/contract.js";
import { canBeEmpty } from "../diff/facts/value.js";
import {
  isIntegerName,
  type Scalar,
  type ScalarName,
  scalars,
  wireRange,
} from "../../../generator/ir/scalars.js";
import type { TextRule } from "../../../generator/ir/text-rule.js";
import { enumValuesOf } from "../../../generator/values/allowed-values.js";
import type { OldType } from "../../../generator/values/history.js";
import type { WireOptions } from "../../../generator/values/wire-options.js";
import {
  type ContractValues,
  type ResolvedStruct,
  type ResolvedUnion,
  type ResolvedValue,
} from "../../../generator/values/value.js";

/** More types than this at one place are `unknown`. */
const maxTypes = 40;

/** Describes the values that a contract allows at one place of a request. */
export function describeOldType(
  subject: Field | TypeReference,
  values: ContractValues,
  modes: WireOptions,
): OldType {
  const describer = new Describer(values, modes);
  return subject.kind === "field"
    ? describer.field(subject)
    : describer.value(values.valueOf(subject));
}

/** Describes an object with the fields of a request. */
export function describeOldObject(
  fields: readonly Field[],
  values: ContractValues,
  modes: WireOptions,
): OldType {
  return new Describer(values, modes).object(fields);
}

/** Describes the values that a single change still allows. */
export function describeLimit(limits: Constraints): OldType {
  return { type: "any", ...limitsOf([limits], limits) };
}

/** Counts the types that it has described, which can be recursive. */
class Describer {
  readonly #values: ContractValues;
  readonly #modes: WireOptions;
  #count = 0;

  constructor(values: ContractValues, modes: WireOptions) {
    this.#values = values;
    this.#modes = modes;
  }

  field(field: Field): OldType {
    const { isNullable, isOptional } = field;
    const value = this.#values.valueOf(field);
    const described = this.value(value);
    const isRead =
      !isNullable && this.#modes.nullAsEmpty === true && canBeEmpty(value);
    return {
      ...described,
      // Servers read null in an optional field as if it were absent.
      ...((isNullable || isOptional || isRead) && { mayBeNull: true }),
      ...(isOptional && { mayBeAbsent: true }),
    };
  }

  value(value: ResolvedValue): OldType {
    this.#count += 1;
    if (this.#count > maxTypes) return { type: "unknown" };
    const type = this.#typeOf(value);
    const limits = limitsOf(value.layers, value.limits);
    const patterns = [...(type.patterns ?? []), ...(limits.patterns ?? [])];
    return {
      ...type,
      ...limits,
      ...(patterns.length > 0 && { patterns }),
      ...(value.isNullable && { mayBeNull: true }),
    };
  }

  object(fields: readonly Field[]): OldType {
    const declared = fields.filter(({ isExtra }) => !isExtra);
    const rest = fields.find(({ isExtra }) => isExtra);
    return {
      type: "object",
      fields: Object.fromEntries(
        declared.map((field) => [field.jsonName, this.field(field)]),
      ),
      ...(rest && { rest: this.value(this.#values.valueOf(rest)) }),
    };
  }

  #typeOf(value: ResolvedValue): OldType {
    switch (value.kind) {
      case "scalar":
        return {
          ...scalarType(value.scalar, this.#modes),
          ...(value.acceptsInteger && { mayBeInteger: true }),
        };
      case "bytes":
        return { type: "string", format: "base64" };
      case "enum":
        return { type: "string", enum: enumValuesOf(value) };
      case "list":
        return { type: "list", items: this.#inside(value.element) };
      case "map":
        return {
          type: "object",
          items: this.#inside(value.held),
          keys: this.#inside(value.key),
        };
      case "struct":
        return this.#struct(value);
      case "union":
        return this.#union(value);
    }
  }

  #inside(type: TypeReference): OldType {
    return this.value(this.#values.valueOf(type));
  }

  #struct({ declaration: { fields } }: ResolvedStruct): OldType {
    return this.object(fields);
  }

  #union({ declaration }: ResolvedUnion): OldType {
    const { choice, isOpen, tag, variants } = declaration;
    return {
      type: "union",
      variants: variants.map((variant) => this.#inside(variant)),
      ...(choice.length > 0 && { choice }),
      ...(isOpen && tag !== null && { openTag: tag }),
    };
  }
}

function scalarType(name: ScalarName, { int64 }: WireOptions): OldType {
  if (isIntegerName(name)) {
    const [minimum, maximum] = wireRange(name, int64).map(toNumber);
    return {
      type: "integer",
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
    };
  }
  const { text, wire } = scalars[name];
  return text === null ? wireTypes[wire] : textType(text);
}

const wireTypes: Readonly<Record<Scalar["wire"], OldType>> = {
  any: { type: "any" },
  boolean: { type: "boolean" },
  // Files are outside of the JSON.
  file: { type: "unknown" },
  null: { type: "null" },
  number: { type: "number" },
  string: { type: "string" },
};

function textType({ keywords: { format, pattern } }: TextRule): OldType {
  if (pattern !== undefined) return { type: "string", patterns: [pattern] };
  return format === "date-time"
    ? { type: "string", format }
    : { type: "unknown" };
}

/** JSON cannot contain all integers, so large ones are strings. */
function toNumber(limit: bigint | number): number | string {
  const number = Number(limit);
  return typeof limit === "number" || Number.isSafeInteger(number)
    ? number
    : String(limit);
}

function limitsOf(
  layers: readonly Constraints[],
  limits: Constraints,
): Partial<OldType> {
  const { enum: allowed, format, maximum, minimum, uniqueItems } = limits;
  const min = limits.minLength ?? limits.minItems ?? limits.minProperties;
  const max = limits.maxLength ?? limits.maxItems ?? limits.maxProperties;
  const patterns = layers.flatMap(({ pattern }) => pattern ?? []);
  return {
    ...(allowed && {
      enum: allowed.map((each) =>
        typeof each === "bigint" ? String(each) : each,
      ),
    }),
    ...(minimum !== undefined && { minimum: toNumber(minimum) }),
    ...(maximum !== undefined && { maximum: toNumber(maximum) }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(uniqueItems === true && { isUnique: true }),
    ...(patterns.length > 0 && { patterns }),
    ...(format && { format }),
  };
}

import type { AllowedValue } from "../../../ir/contract.js";
import type { EnumValue, ScalarValue } from "../plan/plan.js";
import { group, typeText, type Doc } from "../text/format.js";
import { quoteLiteral } from "../plan/branches.js";
import { afterOperator, arrayOf, returnOf } from "../text/shapes.js";
import { hoist, type ValidatorContext } from "./context.js";

/** A value for which `+ enum` lists what is allowed. */
export type Listed<V extends EnumValue | ScalarValue> = V & {
  readonly allowed: readonly AllowedValue[];
};

type ListedValue = Listed<EnumValue | ScalarValue>;

/** Whether `+ enum` lists what is allowed. */
export function isListed<V extends EnumValue | ScalarValue>(
  value: V,
): value is Listed<V> {
  return value.allowed !== null;
}

/** Longer lists use a set instead of comparisons. */
const maxCompared = 8;

/**
 * Builds `return value === "a" || value === "b";`. The name of a set is based on
 * `owner`.
 */
export function returnIsOneOf(
  context: ValidatorContext,
  owner: string,
  literals: readonly string[],
  code = "value",
): Doc {
  if (literals.length === 0) return "return false;";
  if (literals.length > maxCompared)
    return `return ${valueSet(context, owner, literals)}.has(${code});`;
  return returnOf(
    "||",
    literals.map((each) => group(afterOperator(`${code} ===`, each))),
  );
}

/**
 * Builds a return statement that tests whether the code is a listed value.
 * `isOfType` returns a test for the core type, which numbers can need.
 */
export function returnIsAllowed(
  context: ValidatorContext,
  owner: string,
  value: ListedValue,
  code: string,
  isOfType?: () => string,
): Doc {
  const convert = conversionFor(value);
  const literals = value.allowed.map((each) => literalFor(each, convert));
  if (convert === null) return returnIsOneOf(context, owner, literals, code);
  const converted = `${convert}(${code})`;
  const [only, ...others] = literals;
  const test =
    others.length === 0
      ? `${converted} === ${only}`
      : `${valueSet(context, owner, literals)}.has(${converted})`;
  return returnOf("&&", [...(isOfType ? [isOfType()] : []), test]);
}

/**
 * Returns the literal that is the only valid JSON, or null if several values are
 * valid or if a value has several forms.
 */
export function onlyLiteral(value: ListedValue): string | null {
  const [only, ...others] = value.allowed;
  if (only === undefined || others.length > 0) return null;
  if (value.kind === "scalar" && value.resolved.acceptsInteger) return null;
  const convert = conversionFor(value);
  return convert === null ? literalFor(only, convert) : null;
}

/**
 * Returns the function that converts numbers before a comparison, or null if it
 * is not needed. An integer beyond ±(2^53-1) is a `bigint` in messages that are
 * read without rounding, and so can be any 64-bit integer in responses.
 */
function conversionFor({ allowed, ...value }: ListedValue): Conversion | null {
  if (value.kind === "enum") return null;
  const { isConvertedIfExact, wireType } = value.form;
  if (wireType === "number | bigint") return "BigInt";
  const isWide = allowed.some(
    (each) => Number.isInteger(each) && !Number.isSafeInteger(each),
  );
  return isConvertedIfExact && isWide ? "Number" : null;
}

type Conversion = "BigInt" | "Number";

function literalFor(value: AllowedValue, convert: Conversion | null): string {
  if (convert === "BigInt") return `${BigInt(value)}n`;
  return quoteLiteral(value);
}

function valueSet(
  context: ValidatorContext,
  owner: string,
  literals: readonly string[],
): string {
  const name = `${owner.slice(0, 1).toLowerCase()}${owner.slice(1)}Values`;
  return hoist(context, context.constants, name, [
    "new Set",
    typeText("<unknown>"),
    "(",
    arrayOf(literals),
    ")",
  ]);
}

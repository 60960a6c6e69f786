import type { AllowedValue, ScalarName } from "../../ir/contract.js";
import { isIntegerName, scalars, wireRange } from "../../ir/scalars.js";
import { type LiteralText, parseLiterals } from "../../1-parse/literals.js";
import { parseFlag, parseNumber } from "../notation/numbers.js";
import { wireValuesOf } from "../notation/wire-values.js";
import type { ResolvedType } from "./resolve-type.js";

/**
 * Returns the distinct values of a type that `+ enum` lists. Returns null if
 * there are none.
 */
export function readAllowedValues(
  type: ResolvedType,
  text: string,
): readonly AllowedValue[] | null {
  const literals = parseLiterals(text, "|") ?? [];
  const values = literals.flatMap((each) => readAllowedValue(type, each) ?? []);
  return values.length === 0 ? null : [...new Set(values)];
}

/**
 * Returns a value as on the wire. Returns null for a literal that is not a value
 * of the type, and for types without literals.
 */
export function readAllowedValue(
  type: ResolvedType,
  literal: Pick<LiteralText, "isQuoted" | "text">,
): AllowedValue | null {
  switch (type.kind) {
    case "scalar":
      return readScalar(type.name, literal);
    case "enum": {
      const { syntax } = type.declared;
      const values = syntax.kind === "enum" ? wireValuesOf(syntax) : [];
      return values.includes(literal.text) ? literal.text : null;
    }
    case "list":
    case "map":
    case "struct":
    case "union":
      return null;
  }
}

function readScalar(
  name: ScalarName,
  { isQuoted, text }: Pick<LiteralText, "isQuoted" | "text">,
): AllowedValue | null {
  if (name === "string") return text;
  if (isQuoted) return null;
  if (name === "bool") return parseFlag(text);
  const { limits, text: rule } = scalars[name];
  const number = limits === "number" ? parseNumber(text) : null;
  if (number === null) return null;
  if (rule !== null) return rule.fits(text) ? String(BigInt(text)) : null;
  // The sum turns -0 into 0.
  const value = typeof number === "bigint" ? number : number + 0;
  if (!isIntegerName(name)) {
    return Number.isFinite(Number(value)) ? Number(value) : null;
  }
  const [least, most] = wireRange(name, "bigint");
  const isInteger = typeof value === "bigint" || Number.isInteger(value);
  return isInteger && value >= least && value <= most ? value : null;
}

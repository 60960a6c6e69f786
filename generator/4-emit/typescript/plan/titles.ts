import type {
  AllowedValue,
  Constraints,
  ScalarName,
} from "../../../ir/contract.js";
import { scalars } from "../../../ir/scalars.js";
import { maxListed } from "../../../values/union-title.js";

/** Describes base64 text, e.g. `base64 text of at most 32 bytes`. */
export function bytesTitle({ minItems, maxItems }: Constraints): string {
  const bytes = (count: number) => `${count} ${count === 1 ? "byte" : "bytes"}`;
  return `base64 text${span(minItems, maxItems, bytes)}`;
}

/** Describes a value of a core type, e.g. `an integer from 1 to 10`. */
export function scalarTitle(name: ScalarName, limits: Constraints): string {
  const isBounded =
    limits.minimum !== undefined && limits.maximum !== undefined;
  // If both limits are given, the number of bits is redundant.
  const { range, title } = scalars[name];
  const plain = range !== null && isBounded ? "an integer" : title;
  const isUrl = limits.format === "uri" && name === "string";
  const base = isUrl ? "an http or https URL" : plain;
  return base + limitsTitle(limits);
}

/** Describes limits for a title, e.g. ` of 1 to 20 characters`, or "". */
export function limitsTitle(limits: Constraints): string {
  const { minimum, maximum, minLength, maxLength, pattern } = limits;
  const isRange = minimum !== undefined && maximum !== undefined;
  return [
    isRange
      ? ` from ${minimum} to ${maximum}`
      : span(minimum, maximum, (bound) => `${bound}`),
    span(minLength, maxLength, characters),
    pattern === undefined ? "" : ` that matches ${pattern}`,
  ].join("");
}

/** Describes one of several values: `one of "a", "b"`. */
export function listTitle(allowed: readonly AllowedValue[]): string {
  const values = allowed.map((value) =>
    typeof value === "string" ? JSON.stringify(value) : String(value),
  );
  const shown = values.slice(0, maxListed).join(", ");
  if (values.length === 0) return "nothing at all";
  if (values.length === 1) return shown;
  const rest = values.length - maxListed;
  return rest > 0 ? `one of ${shown} and ${rest} more` : `one of ${shown}`;
}

function characters(count: number): string {
  return `${count} ${count === 1 ? "character" : "characters"}`;
}

function span<N extends number | bigint>(
  min: N | undefined,
  max: N | undefined,
  unit: (bound: N) => string,
): string {
  if (min === undefined) {
    return max === undefined ? "" : ` of at most ${unit(max)}`;
  }
  if (max === undefined) return ` of at least ${unit(min)}`;
  return min === max ? ` of ${unit(max)}` : ` of ${min} to ${unit(max)}`;
}

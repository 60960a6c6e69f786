import type { Metadata } from "../1-parse/ast.js";
import { metadataValue } from "../2-check/metadata.js";
import { parseCount, parseFlag, parseNumber } from "../2-check/numbers.js";
import type { Constraints, MetadataEntry } from "../ir/contract.js";

/** What carries `+ key = value` lines. */
interface Described {
  readonly metadata: readonly Metadata[];
}

/** Reads the limits out of the metadata; others keys are left alone. */
export function lowerConstraints(owner: Described): Constraints {
  if (owner.metadata.length === 0) return {};
  const read = <Value>(
    key: keyof Constraints,
    parse: (text: string) => Value | null,
  ): Record<string, Value> => {
    const text = metadataValue(owner, key);
    const value = text === undefined ? null : parse(text);
    return value === null ? {} : { [key]: value };
  };
  return {
    ...read("minimum", parseNumber),
    ...read("maximum", parseNumber),
    ...read("minLength", parseCount),
    ...read("maxLength", parseCount),
    ...read("pattern", (text) => text),
    ...read("format", (text) => (text === "uri" ? text : null)),
    ...read("minItems", parseCount),
    ...read("maxItems", parseCount),
    ...read("uniqueItems", (text) => parseFlag(text) || null),
    ...read("minProperties", parseCount),
    ...read("maxProperties", parseCount),
    ...read("example", (text) => text),
  };
}

/** All metadata as written. */
export function lowerMetadata(owner: Described): readonly MetadataEntry[] {
  return owner.metadata.map(({ key, value }) => ({
    key: key.text,
    value: value.text,
  }));
}

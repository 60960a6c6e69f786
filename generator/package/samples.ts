import type { Doc } from "../4-emit/typescript/text/format.js";
import { quoteKey, quoteString } from "../4-emit/typescript/text/quote.js";
import { arrayOf, objectOf } from "../4-emit/typescript/text/shapes.js";
import type {
  FieldPlan,
  ScalarValue,
  StructPlan,
  Value,
} from "../4-emit/typescript/plan/plan.js";
import type { Constraints, Enum } from "../ir/contract.js";
import type { ReadmeContext } from "./readme-context.js";
import { sampleNumber } from "./sample-number.js";
import { fits, sampleText, type TextLimits } from "./sample-text.js";

/** Where a value stands. */
interface Surroundings {
  readonly context: ReadmeContext;
  /** Structs around it: there a list of one is empty, and what may be is null. */
  readonly outer: ReadonlySet<StructPlan>;
  /** Which of several values in a list or map that have to differ, from 0 on. */
  readonly nth: number;
  /** Of the whole sample. */
  readonly budget: { values: number };
}

/** A sample with more is cut short: nobody reads it to its end. */
const mostValues = 500;

/** The same of structs within structs. */
const mostDepth = 30;

/** More items than that nobody reads. */
const mostItems = 100;

/** Entries of an object literal with the fields that have to be there. */
export function sampleEntries(
  context: ReadmeContext,
  fields: readonly FieldPlan[],
): readonly Doc[] {
  const budget = { values: mostValues };
  return entriesAt({ context, outer: new Set(), nth: 0, budget }, fields);
}

function entriesAt(
  around: Surroundings,
  fields: readonly FieldPlan[],
): readonly Doc[] {
  return (
    fields
      // A property that every object inherits cannot be left out.
      .filter(({ field, isInherited }) => !field.isOptional || isInherited)
      .map(({ field, value }) => [
        `${quoteKey(field.jsonName)}: `,
        field.isNullable && isAround(around, value)
          ? "null"
          : sampleOf(around, value),
      ])
  );
}

/** A value: the example that the schema gives, or the simplest one that fits. */
function sampleOf(around: Surroundings, value: Value): Doc {
  const { budget, outer } = around;
  budget.values -= 1;
  const { limits } = value;
  switch (value.kind) {
    case "bytes":
      return `new Uint8Array(${limits.minItems ?? ""})`;
    case "scalar": {
      const known = knownValues(around, value);
      return known === null
        ? sampleOfScalar(around, value)
        : sampleOfEnum(around, known);
    }
    case "enum":
      return sampleOfEnum(around, value.type.declaration);
    case "list": {
      if (isAround(around, value.held)) return "[]";
      const { minItems = 1, maxItems = Infinity } = limits;
      const count = Math.min(Math.max(minItems, 1), maxItems);
      const items = samplesAt(around, count);
      return arrayOf(items.map((each) => sampleOf(each, value.held)));
    }
    case "map": {
      const items = samplesAt(around, limits.minProperties ?? 0);
      return objectOf(
        items.map((each) => [
          `${quoteKey(keyOf(each, value.key))}: `,
          sampleOf(each, value.held),
        ]),
      );
    }
    case "struct": {
      const isCut = budget.values <= 0 || outer.size >= mostDepth;
      const isEndless = outer.has(value.type);
      const fields = isEndless || isCut ? [] : value.type.fields;
      const inner = { ...around, outer: new Set([...outer, value.type]) };
      return objectOf(entriesAt(inner, fields));
    }
  }
}

/** Places of so many values that differ, as far as they can. */
function samplesAt(
  around: Surroundings,
  count: number,
): readonly Surroundings[] {
  const length = around.budget.values > 0 ? Math.min(count, mostItems) : 0;
  return Array.from({ length }, (_, at) => ({
    ...around,
    nth: around.nth + at,
  }));
}

/** Whether a type, or the innermost element of a list, is a struct around. */
function isAround({ outer }: Surroundings, value: Value): boolean {
  let inner = value;
  while (inner.kind === "list") inner = inner.held;
  return inner.kind === "struct" && outer.has(inner.type);
}

/** The enum that an open enum knows; null for any other type. */
function knownValues(
  { context }: Surroundings,
  { declared }: ScalarValue,
): Enum | null {
  const { types } = context.plan;
  const alias = declared && types.get(declared.schemaName);
  if (alias?.kind !== "alias" || alias.alias.known === null) return null;
  const known = types.get(alias.alias.known);
  return known?.kind === "enum" ? known.declaration : null;
}

function memberAt({ nth }: Surroundings, { members }: Enum): string {
  return members[nth % members.length]?.jsonValue ?? "";
}

function sampleOfEnum(around: Surroundings, declaration: Enum): Doc {
  return quoteString(memberAt(around, declaration));
}

function keyOf(around: Surroundings, key: Value): string {
  if (key.kind === "enum") return memberAt(around, key.type.declaration);
  if (key.kind !== "scalar") return "";
  return key.form.sample === "text"
    ? textOf(around, key)
    : sampleNumber(key.name, key.limits, around.nth);
}

function sampleOfScalar(around: Surroundings, value: ScalarValue): Doc {
  const { form, limits, name } = value;
  switch (form.sample) {
    case "any":
      return "{}";
    case "null":
      return "null";
    case "boolean":
      return String((limits.example !== "false") === (around.nth % 2 === 0));
    case "file":
      return "new Blob()";
    case "text":
      return quoteString(textOf(around, value));
    case "timestamp":
      return quoteString(timestampAt(around, limits));
    case "date":
      return `new Date(${quoteString(timestampAt(around, limits))})`;
    case "number":
      return sampleNumber(name, limits, around.nth);
    case "bigint":
      return `${sampleNumber(name, limits, around.nth)}n`;
  }
}

function timestampAt({ nth }: Surroundings, { example }: Constraints): string {
  if (nth === 0 && example !== undefined) return example;
  return `2026-01-31T12:${String(nth % 60).padStart(2, "0")}:00Z`;
}

/** The example if it fits, or a text that does; what does not if none is found. */
function textOf(
  { nth }: Surroundings,
  { limits, patterns }: ScalarValue,
): string {
  const { example, format, maxLength = Infinity, minLength = 0 } = limits;
  const isUrl = format === "uri";
  const bounds: TextLimits = { minLength, maxLength, patterns, isUrl };
  if (nth === 0 && example !== undefined && fits(example, bounds)) {
    return example;
  }
  return sampleText(bounds, nth) ?? sampleText(bounds) ?? example ?? "text";
}

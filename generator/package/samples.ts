import type { Doc } from "../4-emit/typescript/text/format.js";
import { quoteKey, quoteString } from "../4-emit/typescript/text/quote.js";
import { inheritedNames } from "../4-emit/typescript/names/reserved.js";
import { arrayOf, objectOf } from "../4-emit/typescript/text/shapes.js";
import { isBytes } from "../ir/bytes.js";
import type {
  Constraints,
  Enum,
  Field,
  ScalarName,
  TypeReference,
} from "../ir/contract.js";
import type { ReadmeContext } from "./readme-context.js";
import { sampleNumber } from "./sample-number.js";
import { fits, sampleText, type TextLimits } from "./sample-text.js";

/** Where a value stands. */
interface Surroundings {
  readonly context: ReadmeContext;
  /** Structs around it: there a list of one is empty, and what may be is null. */
  readonly outer: ReadonlySet<string>;
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
  fields: readonly Field[],
): readonly Doc[] {
  const budget = { values: mostValues };
  return entriesAt({ context, outer: new Set(), nth: 0, budget }, fields);
}

function entriesAt(
  around: Surroundings,
  fields: readonly Field[],
): readonly Doc[] {
  return (
    fields
      // A property that every object inherits cannot be left out.
      .filter(
        ({ isOptional, jsonName }) =>
          !isOptional || inheritedNames.has(jsonName),
      )
      .map((field) => [
        `${quoteKey(field.jsonName)}: `,
        field.isNullable && isAround(around, field.type)
          ? "null"
          : sampleOf(around, field, field.type),
      ])
  );
}

/**
 * A value: the example that the schema gives, or the simplest one that fits.
 *
 * Input: `subject` is what may limit the value, a field or its type.
 */
function sampleOf(
  around: Surroundings,
  subject: Field | TypeReference,
  reference: TypeReference,
): Doc {
  const { budget } = around;
  budget.values -= 1;
  const { index } = around.context.types;
  const limits = index.constraintsOf(subject);
  if (isBytes(index, reference)) {
    return `new Uint8Array(${limits.minItems ?? ""})`;
  }
  const type = index.resolve(reference);
  switch (type.kind) {
    case "scalar": {
      const known = knownValues(around, reference);
      return known === null
        ? sampleOfScalar(around, subject, type.name)
        : sampleOfEnum(around, known);
    }
    case "list": {
      if (isAround(around, type.element)) return "[]";
      const { minItems = 1, maxItems = Infinity } = limits;
      const count = Math.min(Math.max(minItems, 1), maxItems);
      const items = samplesAt(around, count);
      return arrayOf(
        items.map((each) => sampleOf(each, type.element, type.element)),
      );
    }
    case "map": {
      const items = samplesAt(around, limits.minProperties ?? 0);
      return objectOf(
        items.map((each) => [
          `${quoteKey(keyOf(each, type.key))}: `,
          sampleOf(each, type.value, type.value),
        ]),
      );
    }
    case "reference": {
      const declaration = index.type(type.name);
      if (declaration.kind === "enum") return sampleOfEnum(around, declaration);
      const isCut = budget.values <= 0 || around.outer.size >= mostDepth;
      const isEndless = declaration.kind !== "struct" || isAround(around, type);
      const fields = isEndless || isCut ? [] : declaration.fields;
      const outer = new Set([...around.outer, type.name]);
      return objectOf(entriesAt({ ...around, outer }, fields));
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
function isAround(
  { context, outer }: Surroundings,
  reference: TypeReference,
): boolean {
  const { index } = context.types;
  let type = index.resolve(reference);
  while (type.kind === "list") type = index.resolve(type.element);
  return type.kind === "reference" && outer.has(type.name);
}

/** The enum that an open enum knows; null for any other type. */
function knownValues(
  { context }: Surroundings,
  reference: TypeReference,
): Enum | null {
  const { index } = context.types;
  if (reference.kind !== "reference") return null;
  const alias = index.type(reference.name);
  if (alias.kind !== "alias" || alias.known === null) return null;
  const known = index.type(alias.known);
  return known.kind === "enum" ? known : null;
}

function memberAt({ nth }: Surroundings, { members }: Enum): string {
  return members[nth % members.length]?.jsonValue ?? "";
}

function sampleOfEnum(around: Surroundings, declaration: Enum): Doc {
  return quoteString(memberAt(around, declaration));
}

function keyOf(around: Surroundings, reference: TypeReference): string {
  const { index } = around.context.types;
  const type = index.resolve(reference);
  if (type.kind === "scalar") {
    return type.name === "string"
      ? textOf(around, reference)
      : sampleNumber(type.name, index.constraintsOf(reference), around.nth);
  }
  const declaration = type.kind === "reference" ? index.type(type.name) : null;
  return declaration?.kind === "enum" ? memberAt(around, declaration) : "";
}

function sampleOfScalar(
  around: Surroundings,
  subject: Field | TypeReference,
  name: ScalarName,
): Doc {
  const { layout, types } = around.context;
  const { index } = types;
  const limits = index.constraintsOf(subject);
  const { example } = limits;
  switch (name) {
    case "any":
      return "{}";
    case "null":
      return "null";
    case "bool":
      return String((example !== "false") === (around.nth % 2 === 0));
    case "file":
      return "new Blob()";
    case "string":
      return quoteString(textOf(around, subject));
    case "timestamp": {
      const text = quoteString(timestampAt(around, limits));
      return layout.options.timestamp === "date" ? `new Date(${text})` : text;
    }
    case "bigint":
      return `${sampleNumber(name, limits, around.nth)}n`;
    case "int64":
    case "uint64": {
      const isWide =
        layout.options.int64 === "bigint" && !index.isSafeInteger(subject);
      const digits = sampleNumber(name, limits, around.nth);
      return isWide ? `${digits}n` : digits;
    }
    case "byte":
    case "float32":
    case "float64":
    case "int":
    case "int8":
    case "int16":
    case "int32":
    case "uint":
    case "uint8":
    case "uint16":
    case "uint32":
      return sampleNumber(name, limits, around.nth);
  }
}

function timestampAt({ nth }: Surroundings, { example }: Constraints): string {
  if (nth === 0 && example !== undefined) return example;
  return `2026-01-31T12:${String(nth % 60).padStart(2, "0")}:00Z`;
}

/** The example if it fits, or a text that does; what does not if none is found. */
function textOf(around: Surroundings, subject: Field | TypeReference): string {
  const { example } = around.context.types.index.constraintsOf(subject);
  const limits = textLimitsOf(around, subject);
  if (around.nth === 0 && example !== undefined && fits(example, limits)) {
    return example;
  }
  return (
    sampleText(limits, around.nth) ?? sampleText(limits) ?? example ?? "text"
  );
}

function textLimitsOf(
  { context }: Surroundings,
  subject: Field | TypeReference,
): TextLimits {
  const { index } = context.types;
  const { minLength, maxLength, format } = index.constraintsOf(subject);
  return {
    minLength: minLength ?? 0,
    maxLength: maxLength ?? Infinity,
    patterns: index
      .constraintsAlong(subject)
      .flatMap(({ pattern }) => pattern ?? []),
    isUrl: format === "uri",
  };
}

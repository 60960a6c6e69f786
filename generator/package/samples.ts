import type { Doc } from "../4-emit/typescript/text/format.js";
import { quoteKey, quoteString } from "../4-emit/typescript/text/quote.js";
import { inheritedNames } from "../4-emit/typescript/names/reserved.js";
import { arrayOf, objectOf } from "../4-emit/typescript/text/shapes.js";
import { isBytes } from "../ir/bytes.js";
import type { Enum, Field, ScalarName, TypeReference } from "../ir/contract.js";
import type { ReadmeContext } from "./readme-context.js";

/**
 * Entries of an object literal with the fields that have to be there.
 *
 * Input: `outer` are the structs around it: a list of one of them stays empty.
 */
export function sampleEntries(
  context: ReadmeContext,
  fields: readonly Field[],
  outer: ReadonlySet<string> = new Set(),
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
        sampleOf(context, field, field.type, outer),
      ])
  );
}

/**
 * A value: the example that the schema gives, or the simplest one.
 *
 * Input: `subject` is what may limit the value, a field or its type.
 */
function sampleOf(
  context: ReadmeContext,
  subject: Field | TypeReference,
  reference: TypeReference,
  outer: ReadonlySet<string>,
): Doc {
  const { index } = context.types;
  if (isBytes(index, reference)) return "new Uint8Array()";
  const type = index.resolve(reference);
  switch (type.kind) {
    case "scalar": {
      const known = knownValues(context, reference);
      return known === null
        ? sampleOfScalar(context, subject, type.name)
        : sampleOfEnum(known);
    }
    case "list":
      return isAround(context, type.element, outer)
        ? "[]"
        : arrayOf([sampleOf(context, type.element, type.element, outer)]);
    case "map":
      return "{}";
    case "reference": {
      const declaration = index.type(type.name);
      if (declaration.kind === "enum") return sampleOfEnum(declaration);
      const fields = declaration.kind === "struct" ? declaration.fields : [];
      const around = new Set([...outer, type.name]);
      return objectOf(sampleEntries(context, fields, around));
    }
  }
}

function isAround(
  context: ReadmeContext,
  element: TypeReference,
  outer: ReadonlySet<string>,
): boolean {
  const type = context.types.index.resolve(element);
  if (type.kind === "list") return isAround(context, type.element, outer);
  return type.kind === "reference" && outer.has(type.name);
}

/** The enum that an open enum knows; null for any other type. */
function knownValues(
  { types: { index } }: ReadmeContext,
  reference: TypeReference,
): Enum | null {
  if (reference.kind !== "reference") return null;
  const alias = index.type(reference.name);
  if (alias.kind !== "alias" || alias.known === null) return null;
  const known = index.type(alias.known);
  return known.kind === "enum" ? known : null;
}

function sampleOfEnum({ members }: Enum): Doc {
  return quoteString(members[0]?.jsonValue ?? "");
}

function sampleOfScalar(
  { layout, types: { index } }: ReadmeContext,
  subject: Field | TypeReference,
  name: ScalarName,
): Doc {
  const { options } = layout;
  const { example, minimum = 1 } = index.constraintsOf(subject);
  switch (name) {
    case "any":
      return "{}";
    case "null":
      return "null";
    case "bool":
      return example === "false" ? "false" : "true";
    case "file":
      return "new Blob()";
    case "string":
      return quoteString(example ?? "text");
    case "timestamp": {
      const text = quoteString(example ?? "2026-01-31T12:00:00Z");
      return options.timestamp === "date" ? `new Date(${text})` : text;
    }
    default: {
      const isWide =
        (name === "int64" || name === "uint64") &&
        options.int64 === "bigint" &&
        !index.isSafeInteger(subject);
      const isBigint = name === "bigint" || isWide;
      const least = minimum > 1 ? minimum : 1;
      return `${numberIn(example) ?? least}${isBigint ? "n" : ""}`;
    }
  }
}

function numberIn(example: string | undefined): string | null {
  return /^-?\d+(?:\.\d+)?$/u.test(example ?? "") ? (example ?? null) : null;
}

import type { Doc } from "../4-emit/typescript/text/format.js";
import { quoteKey, quoteString } from "../4-emit/typescript/text/quote.js";
import { arrayOf, objectOf } from "../4-emit/typescript/text/shapes.js";
import type {
  FieldPlan,
  ScalarValue,
  StructPlan,
  Value,
} from "../4-emit/typescript/plan/plan.js";

/** The structs that contain a value. A list of one of them is empty. */
type Outer = ReadonlySet<StructPlan>;

/** Deeper structs are shown without their fields. */
const maxDepth = 4;

/** Prints entries of an object literal with the required fields. */
export function sampleEntries(
  fields: readonly FieldPlan[],
  outer: Outer = new Set(),
): readonly Doc[] {
  return (
    fields
      // An inherited property cannot be omitted.
      .filter(({ field, isInherited }) => !field.isOptional || isInherited)
      .map(({ field, value }) => [
        `${quoteKey(field.jsonName)}: `,
        field.isNullable && isAround(outer, value)
          ? "null"
          : sampleOf(value, outer),
      ])
  );
}

/** Prints a value of a type: the example in the schema, or a placeholder. */
function sampleOf(value: Value, outer: Outer): Doc {
  switch (value.kind) {
    case "bytes":
      return "new Uint8Array()";
    case "scalar":
      return sampleOfScalar(value);
    case "enum":
      return quoteString(value.type.declaration.members[0]?.jsonValue ?? "");
    case "list":
      return isAround(outer, value.held)
        ? "[]"
        : arrayOf([sampleOf(value.held, outer)]);
    case "map":
      return "{}";
    case "struct":
      return outer.has(value.type) || outer.size >= maxDepth
        ? "{}"
        : objectOf(
            sampleEntries(value.type.fields, new Set([...outer, value.type])),
          );
  }
}

/**
 * Whether a type, or the innermost element of a list, is one of these structs.
 */
function isAround(outer: Outer, value: Value): boolean {
  let inner = value;
  while (inner.kind === "list") inner = inner.held;
  return inner.kind === "struct" && outer.has(inner.type);
}

function sampleOfScalar({ form, limits }: ScalarValue): string {
  const { example, minimum = 1 } = limits;
  switch (form.sample) {
    case "any":
      return "{}";
    case "null":
      return "null";
    case "boolean":
      return String(example !== "false");
    case "file":
      return "new Blob()";
    case "text":
      return quoteString(example ?? "…");
    case "timestamp":
      return quoteString(example ?? someTime);
    case "date":
      return `new Date(${quoteString(example ?? someTime)})`;
    case "number":
      return isMatch(/^-?\d+(?:\.\d+)?$/u, example) ? example : `${minimum}`;
    case "bigint":
      return `${isMatch(/^-?\d+$/u, example) ? example : minimum}n`;
  }
}

const someTime = "2026-01-31T12:00:00Z";

function isMatch(form: RegExp, text: string | undefined): text is string {
  return text !== undefined && form.test(text);
}

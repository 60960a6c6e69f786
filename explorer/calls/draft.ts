import type {
  FieldData,
  TypeReference,
} from "../../generator/4-emit/docs/explorer-data.js";
import type { Model, Shape } from "./model.js";

/** The state of a form for one value. */
export type Draft =
  /** Numbers, strings, dates, base64, JSON of `any`, enums and booleans. */
  | { readonly kind: "text"; text: string }
  | { readonly kind: "list"; readonly items: Draft[] }
  | { readonly kind: "map"; readonly entries: MapEntry[] }
  | { readonly kind: "struct"; readonly fields: readonly FieldDraft[] }
  | { readonly kind: "file"; files: readonly File[] };

/** One entry of a map. */
export interface MapEntry {
  key: string;
  readonly value: Draft;
}

/** The state of a form for one field. */
export interface FieldDraft {
  readonly field: FieldData;
  /** Whether it is omitted, sent as `null`, or sent with its value. */
  state: "absent" | "null" | "given";
  /**
   * The value. Null until it is requested, because types can contain
   * themselves.
   */
  value: Draft | null;
}

/** Maximum depth of lists that start with an item. */
const maxFirstItemDepth = 2;

/**
 * Creates a form for fields. Nullable fields start as null, other required
 * fields with the schema's examples, and other optional fields without a value.
 */
export function createFields(
  model: Model,
  fields: readonly FieldData[],
  depth = 0,
): readonly FieldDraft[] {
  return fields.map((field) => createField(model, field, depth));
}

function createField(
  model: Model,
  field: FieldData,
  depth: number,
): FieldDraft {
  if (field.isNullable) return { field, state: "null", value: null };
  const shape = model.shape(field.type, field.limits);
  // Empty text means absent, so no button is needed to omit it.
  const isInline = isOneInput(shape);
  if (!field.isOptional) {
    return { field, state: "given", value: createDraft(model, shape, depth) };
  }
  return isInline
    ? { field, state: "given", value: createEmpty(shape) }
    : { field, state: "absent", value: null };
}

/** Whether a value has a single input. */
export function isOneInput(shape: Shape): boolean {
  return (
    shape.kind === "scalar" || shape.kind === "enum" || shape.kind === "bytes"
  );
}

/** Returns the value of a field, created on first use. */
export function valueOf(model: Model, draft: FieldDraft): Draft {
  const { limits, type } = draft.field;
  draft.value ??= createDraft(model, model.shape(type, limits), 1);
  return draft.value;
}

function createEmpty(shape: Shape): Draft {
  return shape.kind === "scalar" && shape.scalar.form === "file"
    ? { kind: "file", files: [] }
    : { kind: "text", text: "" };
}

/** Creates a value, with the example in the schema if there is one. */
export function createDraft(model: Model, shape: Shape, depth = 0): Draft {
  switch (shape.kind) {
    case "scalar":
      if (shape.scalar.form === "file") return { kind: "file", files: [] };
      return { kind: "text", text: exampleOf(shape) };
    case "bytes":
      return { kind: "text", text: shape.limits.example ?? "" };
    case "enum":
      return { kind: "text", text: shape.declaration.members[0]?.value ?? "" };
    case "list":
      return { kind: "list", items: firstItems(model, shape, depth) };
    case "map":
      return { kind: "map", entries: [] };
    case "struct":
      return {
        kind: "struct",
        fields: createFields(model, shape.fields, depth),
      };
  }
}

function exampleOf(shape: Shape & { kind: "scalar" }): string {
  if (shape.limits.example !== undefined) return shape.limits.example;
  if (shape.scalar.form === "boolean") return "false";
  return shape.known?.members[0]?.value ?? "";
}

function firstItems(
  model: Model,
  { element, limits }: Shape & { kind: "list" },
  depth: number,
): Draft[] {
  if (depth >= maxFirstItemDepth) return [];
  const count = Math.min(Math.max(limits.minItems ?? 1, 1), 3);
  return Array.from({ length: count }, () => createItem(model, element, depth));
}

/** Creates an item of a list or a value of a map. */
export function createItem(
  model: Model,
  element: TypeReference,
  depth = 1,
): Draft {
  return createDraft(model, model.shape(element), depth + 1);
}

/** Returns the files of a form with the names of their fields. */
export function filesOf(
  fields: readonly FieldDraft[],
): readonly (readonly [string, File])[] {
  return fields.flatMap(({ field, state, value }) =>
    state !== "given" || value === null
      ? []
      : filesIn(value).map((file) => [field.name, file] as const),
  );
}

function filesIn(draft: Draft): readonly File[] {
  if (draft.kind === "file") return draft.files;
  return draft.kind === "list" ? draft.items.flatMap(filesIn) : [];
}

import type {
  FieldData,
  TypeReference,
} from "../../generator/4-emit/docs/explorer-data.js";
import type { Model, Shape } from "./model.js";

/** What a form holds for a value, as it is being written. */
export type Draft =
  /** Numbers, texts, dates, base64, JSON of `any`; also enums and booleans. */
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

/** A field, in the order of the struct. */
export interface FieldDraft {
  readonly field: FieldData;
  /** Whether it is sent: left out, as `null`, or with its value. */
  state: "absent" | "null" | "given";
  /** null: not asked for yet; types may contain themselves. */
  value: Draft | null;
}

/** How deep lists begin with an item to fill in. */
const deepestFirstItem = 2;

/** A form for fields, with the examples of the schema in what is required. */
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
  // A text that is empty is absent: no button is needed to have it.
  const isInline = isOneInput(shape);
  if (!field.isOptional) {
    return { field, state: "given", value: createDraft(model, shape, depth) };
  }
  return isInline
    ? { field, state: "given", value: createEmpty(shape) }
    : { field, state: "absent", value: null };
}

/** Whether a value is one input, and not a group of them. */
export function isOneInput(shape: Shape): boolean {
  return (
    shape.kind === "scalar" || shape.kind === "enum" || shape.kind === "bytes"
  );
}

/** The value of a field, made when it is asked for first. */
export function valueOf(model: Model, draft: FieldDraft): Draft {
  const { limits, type } = draft.field;
  draft.value ??= createDraft(model, model.shape(type, limits), 1);
  return draft.value;
}

function createEmpty(shape: Shape): Draft {
  return shape.kind === "scalar" && shape.name === "file"
    ? { kind: "file", files: [] }
    : { kind: "text", text: "" };
}

/** A new value, with the example of the schema where there is one. */
export function createDraft(model: Model, shape: Shape, depth = 0): Draft {
  switch (shape.kind) {
    case "scalar":
      if (shape.name === "file") return { kind: "file", files: [] };
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
  if (shape.name === "bool") return "false";
  return shape.known?.members[0]?.value ?? "";
}

function firstItems(
  model: Model,
  { element, limits }: Shape & { kind: "list" },
  depth: number,
): Draft[] {
  if (depth >= deepestFirstItem) return [];
  const count = Math.min(Math.max(limits.minItems ?? 1, 1), 3);
  return Array.from({ length: count }, () => createItem(model, element, depth));
}

/** A new item of a list, or a new value of a map. */
export function createItem(
  model: Model,
  element: TypeReference,
  depth = 1,
): Draft {
  return createDraft(model, model.shape(element), depth + 1);
}

/** Files of a form, by the names of their fields. */
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

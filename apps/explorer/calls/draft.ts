import type {
  FieldData,
  TypeReference,
} from "../../../generator/4-emit/docs/explorer-data.js";
import { formOf, type Model, type Shape } from "./model.js";

/** The state of a form for one value. */
export type Draft =
  /** Numbers, strings, dates, base64, JSON of `any`, enums and booleans. */
  | { readonly kind: "text"; text: string }
  | { readonly kind: "list"; readonly items: Draft[] }
  | { readonly kind: "map"; readonly entries: MapEntry[] }
  | { readonly kind: "struct"; readonly fields: readonly FieldDraft[] }
  | UnionDraft
  | { readonly kind: "file"; files: readonly File[] }
  /** An item of a list or map that is null. */
  | { readonly kind: "null" };

/** The state of a form for a union. */
export interface UnionDraft {
  readonly kind: "union";
  /** Position of the variant that is shown. */
  chosen: number;
  /** The value of each variant that was shown. Unions can contain themselves. */
  readonly values: (Draft | undefined)[];
}

/** One entry of a map. */
export interface MapEntry {
  key: string;
  value: Draft;
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

/**
 * Creates a form for fields. Nullable fields start as null, other required
 * fields with typical values, and other optional fields without a value.
 */
export function createFields(
  model: Model,
  fields: readonly FieldData[],
): readonly FieldDraft[] {
  return fields.map((field) => createField(model, field));
}

function createField(model: Model, field: FieldData): FieldDraft {
  if (field.isNullable) return { field, state: "null", value: null };
  const shape = model.shape(field.type, field.limits);
  // Empty text means absent, so no button is needed to omit it.
  const isInline = isOneInput(shape);
  if (!field.isOptional) {
    return { field, state: "given", value: createDraft(model, shape) };
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
  draft.value ??= createAdded(model, model.shape(type, limits));
  return draft.value;
}

/** Creates a value that the user adds. Lists start with an item. */
function createAdded(model: Model, shape: Shape): Draft {
  if (shape.kind !== "list") return createDraft(model, shape);
  const element = model.shape(shape.element);
  const length = Math.min(Math.max(shape.limits.minItems ?? 1, 1), 3);
  const items = Array.from({ length }, () => createDraft(model, element));
  return { kind: "list", items };
}

function createEmpty(shape: Shape): Draft {
  return formOf(shape) === "file"
    ? { kind: "file", files: [] }
    : { kind: "text", text: "" };
}

/** Creates a value. Texts are typical, lists and maps are empty. */
export function createDraft(model: Model, shape: Shape): Draft {
  switch (shape.kind) {
    case "scalar": {
      const { limits, scalar } = shape;
      if (scalar.form === "file") return { kind: "file", files: [] };
      const text = limits.sample ?? limits.example ?? scalar.example;
      return { kind: "text", text };
    }
    case "bytes":
      return { kind: "text", text: shape.limits.sample ?? "" };
    case "enum":
      return { kind: "text", text: shape.values[0] ?? "" };
    case "list":
      return { kind: "list", items: [] };
    case "map":
      return { kind: "map", entries: [] };
    case "struct":
      return { kind: "struct", fields: createFields(model, shape.fields) };
    case "union": {
      const { start = 0 } = shape.declaration;
      return { kind: "union", chosen: start, values: [] };
    }
  }
}

/** Returns the type of the chosen variant of a union. */
export function chosenType(
  { declaration }: Shape & { kind: "union" },
  { chosen }: UnionDraft,
): TypeReference {
  const type = declaration.variants[chosen]?.type;
  return type ?? { kind: "scalar", name: "null" };
}

/** Returns the value of the chosen variant, created on first use. */
export function chosenValue(
  model: Model,
  shape: Shape & { kind: "union" },
  draft: UnionDraft,
): Draft {
  const { chosen, values } = draft;
  return (values[chosen] ??= createDraft(
    model,
    model.shape(chosenType(shape, draft)),
  ));
}

/**
 * Returns the value at a path, or the nearest one around it that the form has.
 * Returns null if no field of the form is on the path.
 */
export function draftAt(
  fields: readonly FieldDraft[],
  [name, ...rest]: readonly (string | number)[],
): FieldDraft | Draft | null {
  const found = fields.find(({ field }) => field.name === name);
  if (found === undefined) return null;
  const { state, value } = found;
  if (state !== "given" || value === null || rest.length === 0) return found;
  return draftIn(value, rest) ?? found;
}

function draftIn(
  draft: Draft,
  path: readonly (string | number)[],
): FieldDraft | Draft | null {
  const [key, ...rest] = path;
  if (draft.kind === "union") {
    const value = draft.values[draft.chosen];
    return value === undefined ? null : (draftIn(value, path) ?? value);
  }
  if (draft.kind === "struct") return draftAt(draft.fields, path);
  const inner =
    draft.kind === "list"
      ? draft.items[Number(key)]
      : draft.kind === "map"
        ? draft.entries.find((entry) => entry.key === key)?.value
        : undefined;
  if (inner === undefined) return null;
  return rest.length === 0 ? inner : (draftIn(inner, rest) ?? inner);
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

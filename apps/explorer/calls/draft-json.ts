import type {
  FieldData,
  MessageData,
  TypeReference,
  UnionData,
} from "../../../generator/4-emit/docs/explorer-data.js";
import {
  chosenType,
  chosenValue,
  createDraft,
  createFields,
  type Draft,
  type FieldDraft,
  valueOf,
} from "./draft.js";
import { jsonNull, type JsonNode, printFlat, readJson } from "./json-text.js";
import { formOf, holdsFiles, type Model, type Shape } from "./model.js";

/**
 * Converts a form to JSON without validation, so that users can see how the
 * server responds to invalid values.
 */
export function fieldsToJson(
  model: Model,
  fields: readonly FieldDraft[],
): JsonNode {
  const entries: (readonly [string, JsonNode])[] = [];
  for (const draft of fields) {
    const value = fieldToJson(model, draft);
    if (value === null) continue;
    if (draft.field.isExtra === true && value.kind === "object")
      entries.push(...value.entries);
    else entries.push([draft.field.name, value]);
  }
  return { kind: "object", entries };
}

function fieldToJson(model: Model, draft: FieldDraft): JsonNode | null {
  if (draft.state === "absent") return null;
  if (draft.state === "null") return jsonNull;
  const { isOptional, limits, type } = draft.field;
  const shape = model.shape(type, limits);
  const value = valueOf(model, draft);
  if (value.kind === "text" && value.text === "") {
    const form = formOf(shape);
    if (form === "null") return jsonNull;
    if (isOptional || form !== "text") return null;
  }
  return draftToJson(model, value, shape);
}

function draftToJson(
  model: Model,
  draft: Draft,
  shape: Shape,
): JsonNode | null {
  switch (draft.kind) {
    case "text":
      return textToJson(draft.text, shape);
    case "file":
      return null;
    case "null":
      return jsonNull;
    case "list": {
      if (shape.kind !== "list") return null;
      const element = model.shape(shape.element);
      const items = draft.items.flatMap(
        (item) => draftToJson(model, item, element) ?? [],
      );
      const isFiles = draft.items.some(({ kind }) => kind === "file");
      return isFiles ? null : { kind: "list", items };
    }
    case "map": {
      if (shape.kind !== "map") return null;
      const element = model.shape(shape.value);
      const entries = draft.entries.flatMap(({ key, value }) => {
        const json = draftToJson(model, value, element);
        return json === null ? [] : [[key, json] as const];
      });
      return { kind: "object", entries };
    }
    case "struct":
      return fieldsToJson(model, draft.fields);
    case "union": {
      if (shape.kind !== "union") return null;
      const value = chosenValue(model, shape, draft);
      return draftToJson(model, value, model.shape(chosenType(shape, draft)));
    }
  }
}

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

/** Converts text to JSON of its type, or to a string if it does not fit. */
export function textToJson(text: string, shape: Shape): JsonNode {
  const string: JsonNode = { kind: "string", value: text };
  switch (formOf(shape)) {
    case "null":
      return jsonNull;
    case "boolean":
      return text === "true" || text === "false"
        ? { kind: "literal", text }
        : string;
    case "json":
      return readJson(text) ?? string;
    case "integer":
    case "number":
      return numberText.test(text) ? { kind: "literal", text } : string;
    default:
      return string;
  }
}

/** Creates the form of a message with a typical request. */
export function createForm(
  model: Model,
  message: MessageData | undefined,
): readonly FieldDraft[] {
  const fields = model.fieldsOf(message);
  const node = readJson(message?.example ?? "");
  const drafts = node && jsonToFields(model, fields, node);
  return drafts ?? createFields(model, fields);
}

/**
 * Converts JSON to a form.
 *
 * Returns null if the form cannot show it, because of other types or undeclared
 * fields, or if `isExact` and it contains empty strings that the form would omit.
 */
export function jsonToFields(
  model: Model,
  fields: readonly FieldData[],
  node: JsonNode,
  isExact?: boolean,
): readonly FieldDraft[] | null {
  if (node.kind !== "object") return null;
  const entries = collectEntries(fields, node.entries);
  const values = new Map(entries);
  const known = new Set(fields.map(({ name }) => name));
  const drafts = createFields(model, fields);
  return [...values.keys()].every((name) => known.has(name)) &&
    drafts.every((draft) =>
      readField(model, draft, values.get(draft.field.name), isExact),
    )
    ? drafts
    : null;
}

/** Returns the entries of an object with the extra members in one of them. */
export function collectEntries(
  fields: readonly FieldData[],
  entries: readonly (readonly [string, JsonNode])[],
): readonly (readonly [string, JsonNode])[] {
  const extra = fields.find(({ isExtra }) => isExtra);
  if (extra === undefined) return entries;
  const known = new Set(
    fields.flatMap(({ isExtra, name }) => (isExtra === true ? [] : name)),
  );
  const others = entries.filter(([name]) => !known.has(name));
  const own = entries.filter(([name]) => known.has(name));
  return extra.isOptional === true && others.length === 0
    ? own
    : [...own, [extra.name, { kind: "object", entries: others }]];
}

/** Fills in a field. Returns false if its value does not fit. */
export function readField(
  model: Model,
  draft: FieldDraft,
  node: JsonNode | undefined,
  isExact?: boolean,
): boolean {
  const { isNullable, limits, type } = draft.field;
  const shape = model.shape(type, limits);
  const holdsNull = node !== undefined && isNull(node);
  // Files are not part of the JSON.
  if (node === undefined && holdsFiles(model, shape)) return true;
  if (node === undefined || (holdsNull && !isNullable)) {
    const isText = draft.value?.kind === "text";
    draft.state = isText ? "given" : "absent";
    draft.value = isText ? { kind: "text", text: "" } : null;
    return (
      !holdsNull || draft.field.isOptional === true || formOf(shape) === "null"
    );
  }
  if (holdsNull) {
    draft.state = "null";
    return true;
  }
  const value = jsonToDraft(model, shape, node, isExact);
  draft.state = "given";
  draft.value = value;
  // An empty input can mean that there is no value.
  return value !== null && (!isExact || fieldToJson(model, draft) !== null);
}

/** Whether a value is `null`. */
export function isNull(node: JsonNode): boolean {
  return node.kind === "literal" && node.text === "null";
}

function jsonToDraft(
  model: Model,
  shape: Shape,
  node: JsonNode,
  isExact?: boolean,
): Draft | null {
  switch (shape.kind) {
    case "list": {
      if (node.kind !== "list") return null;
      const items = readAll(model, shape.element, node.items, isExact);
      return items && { kind: "list", items };
    }
    case "map": {
      if (node.kind !== "object") return null;
      const values = node.entries.map(([, value]) => value);
      const drafts = readAll(model, shape.value, values, isExact);
      return (
        drafts && {
          kind: "map",
          entries: drafts.map((value, index) => ({
            key: node.entries[index]?.[0] ?? "",
            value,
          })),
        }
      );
    }
    case "struct": {
      const fields = jsonToFields(model, shape.fields, node, isExact);
      return fields && { kind: "struct", fields };
    }
    case "union":
      return jsonToUnion(model, shape, node, isExact);
    case "bytes":
    case "enum":
    case "scalar":
      return scalarToDraft(model, shape, node);
  }
}

/**
 * The indexes of the variants that JSON has, by its unions and whether they are
 * exact. Without them, each variant would read all unions in it again.
 */
const chosenVariants = new WeakMap<JsonNode, Record<string, number>>();

/**
 * Returns the index of the variant of a union with the tag of JSON, whatever else
 * that contains. Without tags, it is the first one that the JSON fits, or -1.
 */
function variantIndex(
  model: Model,
  { name, tag, variants }: UnionData,
  node: JsonNode,
  isExact?: boolean,
): number {
  const own = chosenVariants.get(node) ?? {};
  chosenVariants.set(node, own);
  return (own[name + isExact] ??= variants.findIndex(({ tags, type }) => {
    if (tag === undefined)
      return jsonToDraft(model, model.shape(type), node, isExact);
    const members = node.kind === "object" ? node.entries : [];
    const found = members.find(([each]) => each === tag)?.[1];
    return found && tags.includes(plainText(found, false) ?? "");
  }));
}

/** Returns the variant of a union that JSON has, or undefined. */
export function variantShape(
  model: Model,
  { declaration }: Shape & { kind: "union" },
  node: JsonNode,
  isExact?: boolean,
): Shape | undefined {
  const index = variantIndex(model, declaration, node, isExact);
  const type = declaration.variants[index]?.type;
  return type && model.shape(type);
}

/** Chooses the variant with the tag, or the first one that the JSON fits. */
function jsonToUnion(
  model: Model,
  union: Shape & { kind: "union" },
  node: JsonNode,
  isExact?: boolean,
): Draft | null {
  const shape = variantShape(model, union, node, isExact);
  const value = shape && jsonToDraft(model, shape, node, isExact);
  if (!value) return null;
  const chosen = variantIndex(model, union.declaration, node, isExact);
  const values: (Draft | undefined)[] = [];
  values[chosen] = value;
  return { kind: "union", chosen, values };
}

function readAll(
  model: Model,
  element: TypeReference,
  nodes: readonly JsonNode[],
  isExact?: boolean,
): Draft[] | null {
  const shape = model.shape(element);
  const isNullable = model.isNullable(element);
  const drafts = nodes.map((node) =>
    isNullable && isNull(node)
      ? ({ kind: "null" } as const)
      : jsonToDraft(model, shape, node, isExact),
  );
  const found = drafts.filter((draft) => draft !== null);
  return found.length === drafts.length ? found : null;
}

/**
 * Converts JSON to a draft of a scalar. Returns null unless the form would
 * produce the same JSON.
 */
function scalarToDraft(
  model: Model,
  shape: Shape,
  node: JsonNode,
): Draft | null {
  const draft = createDraft(model, shape);
  if (draft.kind !== "text") return null;
  const text = plainText(node, formOf(shape) === "json");
  if (text === null) return null;
  const again = textToJson(text, shape);
  const isSame = JSON.stringify(again) === JSON.stringify(node);
  return isSame ? { kind: "text", text } : null;
}

/**
 * Returns the text of a value in a form, or null for lists and objects unless the
 * type is `any`.
 */
export function plainText(node: JsonNode, isJson: boolean): string | null {
  if (isJson) return printFlat(node);
  switch (node.kind) {
    case "literal":
      return node.text;
    case "string":
      return node.value;
    case "list":
    case "object":
      return null;
  }
}

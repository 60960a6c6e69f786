import type { FieldData } from "../../../generator/4-emit/docs/explorer-data.js";
import {
  fieldsToJson,
  isNull,
  jsonToFields,
  plainText,
  variantShape,
} from "./draft-json.js";
import type { FieldDraft } from "./draft.js";
import { type JsonNode, printFlat, printJson, readJson } from "./json-text.js";
import {
  type Entry,
  formOf,
  holdsFiles,
  type Model,
  type Shape,
} from "./model.js";

/** A form, or the text of its JSON while that is edited. */
export interface FormContent {
  fields: readonly FieldDraft[];
  /** Text of the JSON editor, or null if the form is shown. */
  json: string | null;
}

/**
 * Returns the parts of a message that may be stored or shared: those that the
 * contract declares and does not mark as sensitive. Anything else can be a secret
 * in the wrong place. Credentials are not part of a message.
 */
function withoutSecrets(
  model: Model,
  fields: readonly FieldData[],
  node: JsonNode,
): JsonNode | null {
  const extra = fields.find(({ isExtra }) => isExtra);
  return cleanEntries(model, node, (name) => {
    const field =
      fields.find((each) => each.name === name && each !== extra) ?? extra;
    if (field === undefined || field.isSensitive) return null;
    const shape = model.shape(field.type, field.limits);
    return field === extra && shape.kind === "map"
      ? model.shape(shape.value)
      : shape;
  });
}

/**
 * Input: a function that returns the type of a member, or null if the member is
 * removed. Returns null if the value is no object.
 */
function cleanEntries(
  model: Model,
  node: JsonNode,
  shapeOf: (name: string) => Shape | null,
): JsonNode | null {
  if (node.kind !== "object") return null;
  const entries = node.entries.flatMap(([name, value]) => {
    const shape = shapeOf(name);
    const clean = shape && cleanValue(model, shape, value);
    return clean === null ? [] : [[name, clean] as const];
  });
  return { kind: "object", entries };
}

/** Returns null for a value that does not fit its type. */
function cleanValue(
  model: Model,
  shape: Shape,
  node: JsonNode,
): JsonNode | null {
  if (isNull(node)) return node;
  switch (shape.kind) {
    case "struct":
      return withoutSecrets(model, shape.fields, node);
    case "union": {
      const variant = variantShape(model, shape, node);
      return variant ? cleanValue(model, variant, node) : null;
    }
    case "list": {
      if (node.kind !== "list") return null;
      const element = model.shape(shape.element);
      const items = node.items.flatMap(
        (item) => cleanValue(model, element, item) ?? [],
      );
      return { kind: "list", items };
    }
    case "map": {
      const element = model.shape(shape.value);
      return cleanEntries(model, node, () => element);
    }
    case "bytes":
    case "enum":
    case "scalar":
      return plainText(node, formOf(shape) === "json") === null ? null : node;
  }
}

/** Returns a link to a method with a message for its form. */
export function linkWithMessage(
  model: Model,
  { id, method }: Entry,
  message: JsonNode,
): string {
  const fields = model.fieldsOf(method.request);
  const clean = withoutSecrets(model, fields, message);
  const json = clean === null ? "{}" : printFlat(clean);
  return `#${encodeURIComponent(id)}?${encodeURIComponent(json)}`;
}

/**
 * Reads the fragment of an address: the ID of a method or another page, and the
 * JSON of a message, or null if there is none.
 */
export function readLink(hash: string): {
  readonly id: string;
  readonly json: string | null;
} {
  const [page = "", json] = hash.split("?");
  return {
    id: decode(page.slice(1)),
    json: json === undefined ? null : decode(json),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a link contains all of a message. */
export function isWhole(link: string, message: JsonNode): boolean {
  return readLink(link).json === printFlat(message);
}

/**
 * Reads the JSON of a message into a form, or into the editor if the form
 * cannot show it. Keeps the files that the user has chosen in `known`.
 */
export function readContent(
  model: Model,
  { method }: Entry,
  json: string,
  known: readonly FieldDraft[] = [],
): FormContent {
  const node = readJson(json);
  if (node === null) return { fields: [], json };
  const types = model.fieldsOf(method.request);
  const fields = jsonToFields(model, types, node, true);
  if (fields === null) return { fields: [], json: printJson(node) };
  const withFiles = fields.map((draft) =>
    holdsFiles(model, model.shape(draft.field.type))
      ? (known.find(({ field }) => field === draft.field) ?? draft)
      : draft,
  );
  return { fields: withFiles, json: null };
}

/**
 * Returns the message of a form, or null if the editor contains invalid JSON.
 */
export function messageOf(
  model: Model,
  { fields, json }: FormContent,
): JsonNode | null {
  return json === null ? fieldsToJson(model, fields) : readJson(json);
}

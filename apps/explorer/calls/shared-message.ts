import type { FieldData } from "../../../generator/4-emit/docs/explorer-data.js";
import { collectEntries, fieldsToJson, jsonToFields } from "./draft-json.js";
import type { FieldDraft } from "./draft.js";
import { type JsonNode, parseJson, printFlat, printJson } from "./json-text.js";
import { type Entry, holdsFiles, type Model, type Shape } from "./model.js";

/** A form, or the text of its JSON while that is edited. */
export interface FormContent {
  fields: readonly FieldDraft[];
  /** Text of the JSON editor, or null if the form is shown. */
  json: string | null;
}

/**
 * Returns a message without its sensitive fields, to be stored or shared.
 * Credentials are not part of a message.
 */
function withoutSecrets(
  model: Model,
  fields: readonly FieldData[],
  node: JsonNode,
): JsonNode {
  if (node.kind !== "object") return node;
  const known = new Map(fields.map((field) => [field.name, field]));
  return {
    kind: "object",
    entries: collectEntries(fields, node.entries).flatMap(([name, value]) => {
      const field = known.get(name);
      if (field === undefined) return [[name, value] as const];
      if (field.isSensitive) return [];
      if (field.isExtra === true) {
        const shape = model.shape(field.type, field.limits);
        const clean = cleanValue(model, shape, value);
        return clean.kind === "object" ? clean.entries : [];
      }
      const shape = model.shape(field.type, field.limits);
      return [[name, cleanValue(model, shape, value)] as const];
    }),
  };
}

function cleanValue(model: Model, shape: Shape, node: JsonNode): JsonNode {
  if (shape.kind === "struct") return withoutSecrets(model, shape.fields, node);
  if (shape.kind === "list" && node.kind === "list") {
    const element = model.shape(shape.element);
    const items = node.items.map((item) => cleanValue(model, element, item));
    return { kind: "list", items };
  }
  if (shape.kind === "map" && node.kind === "object") {
    const value = model.shape(shape.value);
    const entries = node.entries.map(
      ([key, each]) => [key, cleanValue(model, value, each)] as const,
    );
    return { kind: "object", entries };
  }
  return node;
}

/** Returns a link to a method with a message for its form. */
export function linkWithMessage(
  model: Model,
  { id, method }: Entry,
  message: JsonNode,
): string {
  const fields = model.fieldsOf(method.request);
  const json = printFlat(withoutSecrets(model, fields, message));
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
  const parsed = parseJson(json);
  if (!parsed.isValid) return { fields: [], json };
  const types = model.fieldsOf(method.request);
  const fields = jsonToFields(model, types, parsed.node);
  if (fields === null) return { fields: [], json: printJson(parsed.node) };
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
  if (json === null) return fieldsToJson(model, fields);
  const parsed = parseJson(json);
  return parsed.isValid ? parsed.node : null;
}

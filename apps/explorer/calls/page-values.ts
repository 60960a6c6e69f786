import { readField } from "./draft-json.js";
import type { Draft, FieldDraft } from "./draft.js";
import { type JsonNode, readJson } from "./json-text.js";
import type { Model } from "./model.js";

type Values = ReadonlyMap<string, JsonNode>;

/** Sample values from the server of the page. */
export interface PageValues {
  /** Requests, whole or in part, by method. */
  readonly requests: Values;
  /** Values by field name, for fields of any struct or message. */
  readonly fields: Values;
}

/** Reads the values in the page. Source: runtime/typescript/server/explorer.ts. */
export function readValues(text: string): PageValues {
  const parts = entriesOf(readJson(text));
  return {
    requests: entriesOf(parts.get("requests")),
    fields: entriesOf(parts.get("fields")),
  };
}

function entriesOf(node: JsonNode | null | undefined): Values {
  return new Map(node?.kind === "object" ? node.entries : []);
}

/**
 * Fills in a new form with the values of its request. Other required fields get
 * the values that are given for their names.
 */
export function fillInValues(
  model: Model,
  drafts: readonly FieldDraft[],
  { fields, requests }: PageValues,
  id: string,
): void {
  fillIn(model, drafts, fields);
  const request = entriesOf(requests.get(id));
  for (const draft of drafts) write(model, draft, request);
}

function fillIn(
  model: Model,
  drafts: readonly FieldDraft[],
  values: Values,
): void {
  for (const draft of drafts) {
    if (draft.state !== "given" || draft.field.isOptional) continue;
    if (!write(model, draft, values)) fillInside(model, draft.value, values);
  }
}

/** Fills in a field. Returns whether there is a value that fits. */
function write(model: Model, draft: FieldDraft, values: Values): boolean {
  const node = values.get(draft.field.name);
  const { state, value } = draft;
  if (node === undefined) return false;
  const fits = readField(model, draft, node);
  if (!fits) Object.assign(draft, { state, value });
  return fits;
}

function fillInside(model: Model, draft: Draft | null, values: Values): void {
  if (draft?.kind === "struct") fillIn(model, draft.fields, values);
  if (draft?.kind === "union")
    fillInside(model, draft.values[draft.chosen] ?? null, values);
  if (draft?.kind !== "list") return;
  for (const item of draft.items) fillInside(model, item, values);
}

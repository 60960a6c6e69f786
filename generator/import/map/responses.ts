import { noteKeywords } from "../notes/note-keywords.js";
import { responseHeaderOwner } from "../../2-check/rules/rest-headers.js";
import type { NoteLog } from "../notes/note.js";
import type { DocumentPart } from "../read/document-part.js";
import type { MappedType, ModelField } from "./model.js";
import { toFieldName, toPascal } from "./names.js";
import { describeField, isFieldHeader, mapSchema } from "./parameters.js";
import type { Types } from "./types.js";

/** A header of a response that is an output. */
export interface MappedHeader {
  readonly name: string;
  readonly field: ModelField;
}

/** What a success answers. */
export interface MappedResponse {
  readonly status: number;
  readonly headers: readonly MappedHeader[];
  readonly body:
    | { readonly kind: "none" }
    | { readonly kind: "file" }
    | ({ readonly kind: "json"; readonly part: DocumentPart } & MappedType);
}

/** Headers that servers and `cors` write on their own. */
const ownHeaders =
  /^(?:access-control-.*|content-(?:length|type)|date|transfer-encoding)$/iu;

/** Maps the headers of a response to fields. */
export function mapHeaders(
  response: DocumentPart,
  hint: string,
  types: Types,
): readonly MappedHeader[] {
  const all = response.get("headers")?.entries() ?? [];
  return all.flatMap((header): readonly MappedHeader[] => {
    const name = header.key;
    const part = types.library.resolve(header);
    if (!isFieldHeader(name, responseHeaderOwner) || part === null) {
      noteHeader(header, types.notes);
      return [];
    }
    noteKeywords(part, "header", types.notes);
    const schema = part.get("schema");
    const own = hint + toPascal(name);
    const mapped = mapSchema(part, schema, "header", own, types);
    if (mapped === null) return [];
    const field: ModelField = {
      name: toFieldName(name.toLowerCase()),
      wire: name,
      isOptional: part.get("required")?.isTrue !== true,
      ...describeField(part, schema, mapped, types),
    };
    return [{ name, field }];
  });
}

/** Notes the headers of a response, none of which is an output. */
export function noteHeaders(response: DocumentPart, notes: NoteLog): void {
  for (const header of response.get("headers")?.entries() ?? []) {
    noteHeader(header, notes);
  }
}

function noteHeader(header: DocumentPart, notes: NoteLog): void {
  const message = `RIDL has no header \`${header.key}\` in this response`;
  if (ownHeaders.test(header.key)) {
    notes.add("advice", header, message, "servers write it on their own");
  } else {
    notes.add("wire", header, message, "it is neither sent nor read");
  }
}

/** Chooses one of several media types: JSON if there is any. */
export function chooseContent(
  content: DocumentPart | null,
  types: Types,
): { readonly media: DocumentPart; readonly isJson: boolean } | null {
  const all = content?.entries() ?? [];
  const json = all.find(({ key }) => isJsonType(key));
  const media = json ?? all[0];
  if (media === undefined) return null;
  for (const other of all) {
    if (other === media) continue;
    const isSame =
      json !== undefined && isJsonType(other.key) && equals(media, other);
    const level = isSame ? "advice" : "wire";
    const message = `a body can also be \`${other.key}\``;
    types.notes.add(level, other, message, `it is \`${media.key}\``);
  }
  noteKeywords(media, "mediaType", types.notes);
  return { media, isJson: json !== undefined };
}

/** Whether two media types refer to the same schema. */
function equals(one: DocumentPart, other: DocumentPart): boolean {
  const [a, b] = [one, other].map((part) => part.get("schema")?.textOf("$ref"));
  return a !== undefined && a !== null && a === b;
}

function isJsonType(name: string): boolean {
  return /^(?:application\/(?:[^;]*\+)?json|\*\/\*|application\/\*|text\/json)\s*(?:;|$)/iu.test(
    name,
  );
}

/** Maps the response to a successful call. `hint` names an inline type. */
export function mapResponse(
  responses: DocumentPart | null,
  hint: string,
  types: Types,
): MappedResponse {
  const { notes } = types;
  const all = responses?.entries() ?? [];
  const successes = all.filter(({ key }) => /^2(?:\d\d|xx)$/iu.test(key));
  const [first, ...others] = successes.toSorted((a, b) =>
    a.key < b.key ? -1 : 1,
  );
  for (const other of others) {
    const message = `the status of a success can also be ${other.key}`;
    notes.add("wire", other, message, `it is ${first?.key ?? "200"}`);
  }
  for (const other of all.filter(({ key }) => /^[13]/u.test(key))) {
    const message = `RIDL has no responses with status ${other.key}`;
    if (other.key === "304") {
      const instead = "servers answer conditional requests themselves";
      notes.add("advice", other, message, instead);
    } else {
      notes.add("wire", other, message, "it is left out");
    }
  }
  const chosen = first ?? all.find(({ key }) => key === "default");
  if (chosen === undefined) {
    return { status: 200, headers: [], body: { kind: "none" } };
  }
  const status = /^\d+$/u.test(chosen.key) ? Number(chosen.key) : 200;
  if (String(status) !== chosen.key) {
    const message = `the status of a success is \`${chosen.key}\``;
    notes.add("wire", chosen, message, "it is 200");
  }
  const response = types.library.resolve(chosen);
  if (response === null) return { status, headers: [], body: { kind: "none" } };
  const body = mapBody(chosen, response, status, hint, types);
  if (body.kind !== "file") {
    return { status, headers: mapHeaders(response, hint, types), body };
  }
  noteHeaders(response, notes);
  return { status, headers: [], body };
}

function mapBody(
  written: DocumentPart,
  response: DocumentPart,
  status: number,
  hint: string,
  types: Types,
): MappedResponse["body"] {
  const { notes } = types;
  noteKeywords(response, "response", notes);
  const chosen = chooseContent(response.get("content"), types);
  const isEmpty = status === 204 || status === 205;
  if (chosen === null) {
    if (!isEmpty) {
      const message = `a success with status ${status} has no body`;
      notes.add("wire", written, message, "the body is `{}`");
    }
    return { kind: "none" };
  }
  if (isEmpty) {
    const message = `a response with status ${status} has no body`;
    notes.add("wire", chosen.media, message, "the body is left out");
    return { kind: "none" };
  }
  const schema = chosen.media.get("schema");
  if (chosen.isJson) {
    return schema === null
      ? { kind: "json", part: chosen.media, type: "any", metadata: [] }
      : { ...types.map(schema, hint), kind: "json", part: schema };
  }
  const message = `RIDL has no bodies of type \`${chosen.media.key}\``;
  notes.add("wire", chosen.media, message, "the body is a file");
  return { kind: "file" };
}

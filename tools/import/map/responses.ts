import { isBodiless } from "../../../generator/ir/bodiless.js";
import { noteKeywords } from "../notes/note-keywords.js";
import { responseHeaderOwner } from "../../../generator/2-check/notation/rest-binding.js";
import type { NoteLog } from "../notes/note.js";
import type { DocumentPart } from "../read/document-part.js";
import type { MappedType, ModelField } from "../model/model.js";
import { toFieldName, toPascal } from "../model/names.js";
import { dataOf, isEvents } from "./events.js";
import {
  chooseContent,
  isJsonBody,
  isJsonType,
  isLines,
  jsonTypeOf,
  noteFile,
  noteText,
} from "./media-types.js";
import { describeField, isFieldHeader, mapSchema } from "./parameters.js";
import type { Types } from "./types/types.js";

/** A header of a response that is an output. */
export interface MappedHeader {
  readonly name: string;
  readonly field: ModelField;
}

/** The body of a success. */
export type SuccessBody =
  | { readonly kind: "none" }
  | { readonly kind: "file" }
  | ({
      readonly kind: "json";
      readonly part: DocumentPart;
      /** Whether it is an item of a stream. */
      readonly isStream: boolean;
    } & MappedType);

/** What a success answers. */
export interface MappedResponse {
  readonly status: number;
  readonly headers: readonly MappedHeader[];
  readonly body: SuccessBody;
  /**
   * All statuses and their bodies, if there are several or the only one has no
   * body although it could have one. Equal bodies are the same object.
   */
  readonly statuses: readonly MappedStatus[];
}

/** A status of a success. */
export interface MappedStatus {
  readonly status: number;
  readonly body: Exclude<SuccessBody, { readonly kind: "file" }>;
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

/** An operation, with its verb in lower case. */
interface Operation {
  readonly part: DocumentPart;
  readonly verb: string;
}

/** Maps the response to a successful call. `hint` names an inline type. */
export function mapResponse(
  { part, verb }: Operation,
  hint: string,
  types: Types,
): MappedResponse {
  const response = mapSuccess(part.get("responses"), hint, types);
  if (verb !== "head") return response;
  const message = "servers answer HEAD for every GET";
  types.notes.add("advice", part, message, "only clients have the method");
  const body = { kind: "none" } as const;
  const { statuses } = response;
  const isUsual = statuses.length < 2;
  return {
    ...response,
    body,
    statuses: isUsual ? [] : statuses.map(({ status }) => ({ status, body })),
  };
}

function mapSuccess(
  responses: DocumentPart | null,
  hint: string,
  types: Types,
): MappedResponse {
  const { notes } = types;
  const all = responses?.entries() ?? [];
  const successes = all
    .filter(({ key }) => /^2(?:\d\d|xx)$/iu.test(key))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  noteOthers(all, types);
  const exact = successes.filter(
    (each) => /^\d+$/u.test(each.key) && !isFile(each, types),
  );
  // A file is the body of the only status.
  if (exact.length > 1 && exact[0] === successes[0]) {
    for (const other of successes) {
      if (exact.includes(other)) continue;
      const message = `the status of a success can also be ${other.key}`;
      notes.add("wire", other, message, "only the other statuses are");
    }
    return mapStatuses(exact, hint, types);
  }
  const [first, ...others] = successes;
  for (const other of others) {
    const message = `the status of a success can also be ${other.key}`;
    notes.add("wire", other, message, `it is ${first?.key ?? "200"}`);
  }
  const chosen = first ?? all.find(({ key }) => key === "default");
  const empty = { headers: [], body: { kind: "none" }, statuses: [] } as const;
  if (chosen === undefined) return { ...empty, status: 200 };
  const status = /^\d+$/u.test(chosen.key) ? Number(chosen.key) : 200;
  if (String(status) !== chosen.key) {
    const message = `the status of a success is \`${chosen.key}\``;
    notes.add("wire", chosen, message, "it is 200");
  }
  const response = types.library.resolve(chosen);
  if (response === null) return { ...empty, status };
  const body = mapBody(response, status, hint, types);
  if (body.kind === "file") {
    noteHeaders(response, notes);
    return { ...empty, status, body };
  }
  if (body.kind === "json" && body.isStream) {
    noteHeaders(response, notes);
    return { ...empty, status, body };
  }
  const headers = mapHeaders(response, hint, types);
  const isEmpty = body.kind === "none" && !isBodiless(status);
  if (isEmpty) {
    // Some frameworks leave the type out.
    const message = "the response has no type";
    notes.add("advice", chosen, message, "clients ignore its body");
  }
  return { status, headers, body, statuses: isEmpty ? [{ status, body }] : [] };
}

/** Notes responses that are neither successes nor errors. */
function noteOthers(all: readonly DocumentPart[], types: Types): void {
  const { notes } = types;
  for (const other of all.filter(({ key }) => /^[13]/u.test(key))) {
    if (isError(other, types)) continue;
    const message = `RIDL has no responses with status ${other.key}`;
    if (other.key === "304") {
      const instead = "servers answer conditional requests themselves";
      notes.add("advice", other, message, instead);
    } else {
      notes.add("wire", other, message, "it is left out");
    }
  }
}

/** Whether a response is an error. A redirect is one if it has a body in JSON. */
export function isError(written: DocumentPart, types: Types): boolean {
  const { key } = written;
  if (/^[45]\d\d$/u.test(key)) return true;
  if (!/^3\d\d$/u.test(key) || key === "304") return false;
  const content = types.library.resolve(written)?.get("content");
  return content?.entries().some((each) => isJsonBody(each, types)) ?? false;
}

/** Whether a schema describes text that need not be JSON, such as all events. */
function isText(schema: DocumentPart | null, types: Types): boolean {
  const target = schema && types.library.resolve(schema);
  const mediaType = target?.textOf("contentMediaType") ?? "text/plain";
  return target?.textOf("type") === "string" && !isJsonType(mediaType);
}

/** Maps a stream, whose items are the data of its events. */
function mapEvents(
  media: DocumentPart,
  schema: DocumentPart | null,
  hint: string,
  types: Types,
): SuccessBody {
  const message =
    "servers can name events, and give them an `id` and a `retry`";
  types.notes.add("advice", media, message, "clients read only their data");
  return { ...mapJson(media, schema, hint, types), isStream: true };
}

/** Maps JSON. Without a schema, it can be any value. */
function mapJson(
  media: DocumentPart,
  schema: DocumentPart | null,
  hint: string,
  types: Types,
): Extract<SuccessBody, { kind: "json" }> {
  const mapped =
    schema === null ? { type: "any", metadata: [] } : types.map(schema, hint);
  return { ...mapped, kind: "json", part: schema ?? media, isStream: false };
}

/** Whether the body of a response is not JSON. */
function isFile(written: DocumentPart, types: Types): boolean {
  const content = types.library.resolve(written)?.get("content")?.entries();
  return (
    content !== undefined &&
    content.length > 0 &&
    content.every((each) => !isJsonBody(each, types))
  );
}

/** Maps several successes, whose bodies are no files. */
function mapStatuses(
  successes: readonly DocumentPart[],
  hint: string,
  types: Types,
): MappedResponse {
  const known = new Map<string, MappedStatus["body"]>();
  const headers = new Map<string, MappedHeader[]>();
  const statuses = successes.flatMap((written): readonly MappedStatus[] => {
    const status = Number(written.key);
    const response = types.library.resolve(written);
    if (response === null) return [{ status, body: { kind: "none" } }];
    // Names of inline types contain the status if there is another type.
    const own = known.size === 0 ? hint : `${hint}${written.key}`;
    for (const header of mapHeaders(response, own, types)) {
      const name = header.name.toLowerCase();
      headers.set(name, [...(headers.get(name) ?? []), header]);
    }
    const key = printSchema(response, types);
    const earlier = isBodiless(status) ? undefined : known.get(key);
    if (earlier !== undefined) return [{ status, body: earlier }];
    const body = mapBody(response, status, own, types);
    switch (body.kind) {
      case "file":
        return [];
      case "json":
        known.set(key, body);
        return [{ status, body }];
      case "none":
        return [{ status, body }];
    }
  });
  const [{ body, status } = { body: { kind: "none" }, status: 200 } as const] =
    statuses;
  const all = [...headers.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const isOptional =
      others.length + 1 < successes.length ||
      [first, ...others].some(({ field }) => field.isOptional);
    return { ...first, field: { ...first.field, isOptional } };
  });
  return { status, headers: all, body, statuses };
}

/** Returns a text that is the same for responses with the same schema. */
function printSchema(response: DocumentPart, types: Types): string {
  const all = response.get("content")?.entries() ?? [];
  const media = all.find((each) => isJsonBody(each, types));
  const schema = media?.get("schema");
  return schema?.textOf("$ref") ?? schema?.written ?? "";
}

function mapBody(
  response: DocumentPart,
  status: number,
  hint: string,
  types: Types,
): SuccessBody {
  const { notes } = types;
  noteKeywords(response, "response", notes);
  const chosen = chooseContent(response.get("content"), types);
  if (chosen === null) return { kind: "none" };
  if (isBodiless(status)) {
    // No server can send one.
    const message = `a response with status ${status} has no body`;
    notes.add("advice", chosen.media, message, "the body is left out");
    return { kind: "none" };
  }
  const { isJson, media } = chosen;
  const own = isJson ? jsonTypeOf(media.key) : null;
  if (own !== null) {
    const message = `the type of a response is \`${own}\``;
    const instead =
      "clients read JSON of any type, and servers send `application/json`";
    notes.add("advice", media, message, instead);
  }
  if (isJson) {
    noteText(media, types);
    return mapJson(media, media.get("schema"), hint, types);
  }
  if (isEvents(media)) {
    const data = dataOf(media, types);
    if (!isText(data, types)) return mapEvents(media, data, hint, types);
  }
  if (isLines(media)) {
    const message = "RIDL has no streams of JSON lines with an address";
    notes.add("wire", media, message, "the body is a file");
    return { kind: "file" };
  }
  noteFile(media, notes);
  return { kind: "file" };
}

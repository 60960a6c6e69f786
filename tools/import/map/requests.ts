import { noteKeywords } from "../notes/note-keywords.js";
import type { DocumentPart } from "../read/document-part.js";
import { toComment } from "../model/comments.js";
import type { MappedType, Meta, TypeBody } from "../model/model.js";
import {
  chooseContent,
  fileTypeOf,
  jsonTypeOf,
  noteFile,
  noteText,
} from "./media-types.js";
import { itemOf } from "./parameters.js";
import type { Types } from "./types/types.js";

/** The body of a request. */
export type MappedBody =
  | { readonly kind: "none" }
  | ({
      readonly kind: "json";
      /** The annotation of a form, or null if the body is JSON. */
      readonly form: "@form" | "@form:brackets" | null;
      /** Whether the body is a struct with files. */
      readonly hasFiles: boolean;
      /** The media type of JSON, or null if it is `application/json`. */
      readonly mediaType: string | null;
      readonly part: DocumentPart;
      readonly isOptional: boolean;
      readonly docs: readonly string[];
    } & MappedType);

/** Maps the body of a request. `hint` names an inline type. */
export function mapRequestBody(
  written: DocumentPart | null,
  verb: string,
  hint: string,
  types: Types,
): MappedBody {
  const { notes, library } = types;
  const body = written && library.resolve(written);
  if (body === null || written === null) return { kind: "none" };
  noteKeywords(body, "requestBody", notes);
  if (verb === "get") {
    notes.add(
      "wire",
      written,
      "RIDL has no GET requests with a body",
      "it is left out",
    );
    return { kind: "none" };
  }
  const chosen = chooseContent(body.get("content"), types, "request");
  if (chosen === null) return { kind: "none" };
  const { media, isJson } = chosen;
  const schema = media.get("schema");
  const isForm = isFormType(media.key);
  if (!isJson && !isForm) {
    noteFile(media, notes);
    return json(media, { type: "file", metadata: [] }, body);
  }
  if (schema === null) {
    const any = json(media, { type: "any", metadata: [] }, body);
    if (isJson) return withType(any, media, types);
    const message = "a form without a schema has no fields in RIDL";
    notes.add("wire", media, message, "the body is JSON");
    return any;
  }
  return isForm
    ? mapForm(media, schema, body, hint, types)
    : withType(json(schema, types.map(schema, hint), body), media, types);
}

/** Maps a form, or a body of parts. */
function mapForm(
  media: DocumentPart,
  schema: DocumentPart,
  body: DocumentPart,
  hint: string,
  types: Types,
): MappedBody {
  const { notes } = types;
  const isPairs = !/^multipart\//iu.test(media.key);
  const isParts = /^multipart\/form-data\s*(?:;|$)/iu.test(media.key);
  const union = types.map(schema, hint);
  const whole = types.wholeOf(union.type);
  const inJson = whole === null ? union : { ...union, type: whole };
  if (whole !== null) {
    const message = "RIDL has no unions in a form";
    notes.add(
      "wire",
      media,
      message,
      "it has the fields that all variants have",
    );
  }
  const mapped =
    isPairs || isParts ? dropNulls(schema, inJson, hint, types) : inJson;
  const sent = json(schema, mapped, body);
  if (isParts && setFiles(mapped.type, types)) {
    noteValues(media, mapped.type, types, "parts");
    return { ...sent, form: formOf(media, mapped.type, types), hasFiles: true };
  }
  if (!isPairs && !isParts) {
    const message = `RIDL has no bodies of type \`${media.key}\``;
    notes.add("wire", media, message, "the body is JSON");
    return sent;
  }
  if (!fitsForm(mapped, types)) {
    const message = "the form contains values that RIDL has only in JSON";
    notes.add("wire", media, message, "the body is JSON");
    return sent;
  }
  if (isParts) {
    const message = "RIDL has no forms with parts but without files";
    const instead = "the body is `application/x-www-form-urlencoded`";
    notes.add("wire", media, message, instead);
  }
  noteValues(media, mapped.type, types, isParts ? "parts" : "pairs");
  return { ...sent, form: formOf(media, mapped.type, types) };
}

/** Adds the media type to a body in JSON. */
function withType(
  body: Extract<MappedBody, { kind: "json" }>,
  media: DocumentPart,
  types: Types,
): MappedBody {
  const { notes } = types;
  noteText(media, types);
  const parameters = media.key.replace(/^[^;]*;?/u, "").trim();
  if (!/^(?:charset="?utf-8"?)?$/iu.test(parameters)) {
    const message = `RIDL has no parameters such as \`${parameters}\` in the type of a body`;
    notes.add("wire", media, message, "the type has no parameters");
  }
  return { ...body, mediaType: jsonTypeOf(media.key) };
}

/** Whether a media type is that of forms, which can have parts. */
export function isFormType(name: string): boolean {
  return /^(?:application\/x-www-form-urlencoded\s*(?:;|$)|multipart\/)/iu.test(
    name,
  );
}

/** What separates the items of a list in one pair, by the style of the list. */
const separators: ReadonlyMap<string, string> = new Map([
  ["form", "commas"],
  ["pipeDelimited", "`|`"],
  ["spaceDelimited", "spaces"],
]);

/** Returns the annotation for how a form contains lists. */
function formOf(
  media: DocumentPart,
  name: string,
  types: Types,
): "@form" | "@form:brackets" {
  const { notes } = types;
  const encodings = media.get("encoding")?.entries() ?? [];
  for (const encoding of encodings) {
    const style = encoding.textOf("style") ?? "form";
    const separator = separators.get(style);
    const isJoined = encoding.get("explode")?.isFalse ?? style !== "form";
    if (separator === undefined || !isJoined) continue;
    const message = `the items of a list in a form are separated by ${separator}`;
    notes.add("wire", encoding, message, "each item is a pair");
  }
  const styles = new Map(
    encodings.map((each) => [each.key, each.textOf("style")] as const),
  );
  // Items that are lists or objects have an index in both kinds of forms.
  const lists = (types.structOf(name)?.body.fields ?? []).filter(({ type }) => {
    const item = itemOf(type, types);
    return item && !itemOf(item, types) && !mayBeObject(item, types);
  });
  const plain = lists.filter(
    ({ part }) => styles.get(part.key) !== "deepObject",
  );
  const isBracketed = plain.length < lists.length;
  const [other] = plain;
  if (isBracketed && other !== undefined) {
    const message = "only some lists of a form have brackets after their names";
    notes.add("wire", other.part, message, "all lists have them");
  }
  return isBracketed ? "@form:brackets" : "@form";
}

/**
 * Whether the values of a type can be pairs of a form, as `ridl check` asks. Uses
 * a loop, because types can be nested too deep for recursion.
 */
function fitsForm(mapped: MappedType, types: Types): boolean {
  const { type } = mapped;
  if (types.structOf(type) === null && !type.startsWith("map<")) return false;
  const seen = new Set<string>();
  const parts = [mapped];
  for (const { metadata, type } of parts) {
    const name = type.replace(/^(?:\[\]|map<[^,]+,)+/u, "").replace(/>+$/u, "");
    const isUnfit = metadata.some(
      ({ key }) => key === "nullable" || key === "oneOf",
    );
    if (isUnfit || /^(?:any|file|null)$/u.test(name)) return false;
    const body = types.find(name)?.body;
    if (body === undefined || seen.has(name)) continue;
    seen.add(name);
    parts.push(...innerTypes(body));
  }
  return true;
}

/** Returns the types of the fields of a struct, or the type of an alias. */
function innerTypes(body: TypeBody): readonly MappedType[] {
  switch (body.kind) {
    case "alias":
      return [body];
    case "struct":
      return body.fields;
    case "enum":
      return [];
  }
}

function json(
  part: DocumentPart,
  mapped: MappedType,
  body: DocumentPart,
): Extract<MappedBody, { kind: "json" }> {
  return {
    ...mapped,
    kind: "json",
    form: null,
    hasFiles: false,
    mediaType: null,
    part,
    isOptional: body.get("required")?.isTrue !== true,
    docs: toComment(body.textOf("description")),
  };
}

/** Gives binary fields of a form the type `file`. Returns whether any is. */
function setFiles(name: string, types: Types): boolean {
  const struct = types.structOf(name);
  if (struct === null) return false;
  const files = struct.body.fields.map(({ part }) => fileTypeOf(part, types));
  if (files.every((type) => type === null)) return false;
  struct.body.fields = struct.body.fields.map((field, index) => {
    const type = files[index] ?? field.type;
    const isFile = type !== field.type;
    const metadata = field.metadata.filter(
      ({ key }) => !isFile || key === "json" || key === "jsonName",
    );
    return { ...field, type, metadata };
  });
  return true;
}

/** Makes fields of a form that can be null optional: they are absent instead. */
function dropNulls(
  part: DocumentPart,
  mapped: MappedType,
  hint: string,
  types: Types,
): MappedType {
  const isNull = ({ key }: Meta): boolean => key === "nullable";
  const metadata = mapped.metadata.filter((each) => !isNull(each));
  const struct = types.structOf(mapped.type);
  const fields = struct?.body.fields.map((field) => {
    if (!field.metadata.some(isNull)) return field;
    const message = "a form has no null";
    types.notes.add("advice", field.part, message, "the field is absent");
    const others = field.metadata.filter((each) => !isNull(each));
    return { ...field, metadata: others, isOptional: true };
  });
  if (!struct || fields?.every((each) => struct.body.fields.includes(each))) {
    return { ...mapped, metadata };
  }
  const all = fields ?? [];
  if (struct.part.id !== part.id) {
    // Other bodies can be JSON, which has null.
    return { type: types.declareStruct(part, hint, all), metadata };
  }
  struct.body.fields = all;
  return { ...mapped, metadata };
}

/** What the values of a form are, and how objects are written by default. */
const formValues = {
  parts: {
    title: "a part of a form",
    object: "an object in a form with parts is JSON",
  },
  pairs: {
    title: "a field of a form",
    object: "an object in a form is JSON, or its members are pairs of the form",
  },
};

/** Notes the values of a form that are not written as texts. */
function noteValues(
  media: DocumentPart,
  name: string,
  types: Types,
  kind: keyof typeof formValues,
): void {
  const { object, title } = formValues[kind];
  for (const headers of headersOfParts(media)) {
    const message = "RIDL has no headers of a part";
    types.notes.add("wire", headers, message, "they are neither sent nor read");
  }
  for (const { part, type } of types.structOf(name)?.body.fields ?? []) {
    if (/^(?:\[\])?file$/u.test(type)) continue;
    const encoding = media.get("encoding")?.get(part.key) ?? null;
    const isNested = encoding?.textOf("style") === "deepObject";
    const contentType = encoding?.textOf("contentType") ?? "text/plain";
    if (!isNested && mayBeObject(type, types)) {
      const instead = `its members are ${kind} such as \`a[b]\``;
      types.notes.add("wire", part, object, instead);
    } else if (!/^text\/plain\b/iu.test(contentType)) {
      const message = `${title} has the type \`${contentType}\``;
      types.notes.add("wire", encoding ?? part, message, "it has no type");
    }
  }
}

/** Returns what parts of a form have as headers besides their type. */
function headersOfParts(media: DocumentPart): readonly DocumentPart[] {
  const encodings = media.get("encoding")?.entries() ?? [];
  const headers = encodings.flatMap(
    (each) => each.get("headers")?.entries() ?? [],
  );
  return headers.filter(({ key }) => !/^content-type$/iu.test(key));
}

/** Whether a type, or its items, can be an object. */
function mayBeObject(type: string, types: Types): boolean {
  const seen = new Set([type.replace(/^(?:\[\])+/u, "")]);
  // A loop over a set also visits members that are added to it.
  for (const name of seen) {
    if (name.startsWith("map<")) return true;
    const body = types.find(name)?.body;
    if (body?.kind === "struct") return true;
    if (body?.kind !== "alias") continue;
    const variants = body.metadata.flatMap(({ key, value }) =>
      key === "oneOf" ? value.split("|") : [],
    );
    for (const each of [body.type, ...variants]) {
      seen.add(each.replace(/^(?:\[\])+/u, ""));
    }
  }
  return false;
}

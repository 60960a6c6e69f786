import { noteKeywords } from "../notes/note-keywords.js";
import type { DocumentPart } from "../read/document-part.js";
import { toComment } from "../model/comments.js";
import type { MappedType, TypeBody } from "../model/model.js";
import { chooseContent } from "./responses.js";
import type { Types } from "./types/types.js";

/** The body of a request. */
export type MappedBody =
  | { readonly kind: "none" }
  /** A form with files, as webrpc sends it. */
  | { readonly kind: "form"; readonly struct: string }
  | ({
      readonly kind: "json";
      /** The annotation of a form, or null if the body is JSON. */
      readonly form: "@form" | "@form:brackets" | null;
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
  const chosen = chooseContent(body.get("content"), types);
  if (chosen === null) return { kind: "none" };
  const { media, isJson } = chosen;
  const schema = media.get("schema");
  const isForm = isFormType(media.key) || /^multipart\//iu.test(media.key);
  if (!isJson && !isForm) {
    const message = `RIDL has no bodies of type \`${media.key}\``;
    notes.add("wire", media, message, "the body is the field `body` of JSON");
    return json(media, { type: "string", metadata: [] }, body);
  }
  if (schema === null) {
    return json(media, { type: "any", metadata: [] }, body);
  }
  const mapped = types.map(schema, hint);
  if (isFormType(media.key)) {
    if (fitsForm(mapped, types)) {
      return { ...json(schema, mapped, body), form: formOf(media, types) };
    }
    const message = "the form contains values that RIDL has only in JSON";
    notes.add("wire", media, message, "the body is JSON");
  } else if (isForm) {
    const message = `RIDL has no bodies of type \`${media.key}\``;
    const files = setFiles(mapped.type, types);
    const instead = files
      ? "a form as in webrpc, with other fields as JSON in its part `json`"
      : "the body is JSON";
    notes.add("wire", media, message, instead);
    if (files) return { kind: "form", struct: mapped.type };
  }
  return json(schema, mapped, body);
}

/** Whether a media type is that of forms without files. */
export function isFormType(name: string): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/iu.test(name);
}

/** Returns the annotation for how a form contains lists. */
function formOf(
  media: DocumentPart,
  { notes }: Types,
): "@form" | "@form:brackets" {
  const encodings = media.get("encoding")?.entries() ?? [];
  const properties = media.get("schema")?.get("properties");
  for (const encoding of encodings) {
    if (encoding.get("explode")?.isFalse !== true) continue;
    const message = "the items of a list in a form are separated by commas";
    notes.add("wire", encoding, message, "each item is a pair");
  }
  const isList = ({ key }: DocumentPart): boolean =>
    (properties?.get(key)?.get("items") ?? null) !== null;
  const isBracketed = encodings.some(
    (each) => each.textOf("style") === "deepObject" && isList(each),
  );
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
    part,
    isOptional: body.get("required")?.isTrue !== true,
    docs: toComment(body.textOf("description")),
  };
}

/** Gives binary fields of a form the type `file`. Returns whether any is. */
function setFiles(name: string, types: Types): boolean {
  const struct = types.structOf(name);
  if (struct === null) return false;
  const isBinary = (part: DocumentPart): boolean => {
    const target = types.library.resolve(part);
    return (
      target?.textOf("format") === "binary" ||
      target?.textOf("contentMediaType") === "application/octet-stream"
    );
  };
  let isAny = false;
  struct.body.fields = struct.body.fields.map((field) => {
    const items = field.part.get("items");
    const isList =
      field.type === "[]string" && items !== null && isBinary(items);
    const isFile = field.type === "string" && isBinary(field.part);
    if (!isList && !isFile) return field;
    isAny = true;
    const isName = (key: string): boolean =>
      key === "json" || key === "jsonName";
    const metadata = field.metadata.filter(({ key }) => isName(key));
    return { ...field, type: isList ? "[]file" : "file", metadata };
  });
  return isAny;
}

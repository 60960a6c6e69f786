import type { NoteLog } from "../notes/note.js";
import { noteKeywords } from "../notes/note-keywords.js";
import type { DocumentPart } from "../read/document-part.js";
import type { Types } from "./types/types.js";

/** The media type that a body has. */
interface ChosenContent {
  readonly media: DocumentPart;
  readonly isJson: boolean;
}

/**
 * Chooses one of several media types: JSON if there is any. A request with the
 * same schema as a form is JSON too.
 */
export function chooseContent(
  content: DocumentPart | null,
  types: Types,
  message: "request" | "response" = "response",
): ChosenContent | null {
  const all = content?.entries() ?? [];
  const [json] = all
    .filter((each) => isJsonBody(each, types))
    .toSorted((a, b) => rankOf(a, types) - rankOf(b, types));
  const media = json ?? all[0];
  if (media === undefined) return null;
  for (const other of all) {
    const isForm = message === "request" && isPlainForm(other);
    const isLikeJson = isForm || hasValuesOfJson(other.key);
    if (other === media) continue;
    if (json && isLikeJson && hasSameSchema(json, other, types)) continue;
    const fact = `a body can also be \`${other.key}\``;
    types.notes.add("wire", other, fact, `it is \`${media.key}\``);
  }
  noteKeywords(media, "mediaType", types.notes);
  return { media, isJson: json !== undefined };
}

/** Returns which of several types of JSON is chosen: that with the lowest rank. */
function rankOf(media: DocumentPart, types: Types): number {
  if (jsonTypeOf(media.key) === null) return /\*/u.test(media.key) ? 3 : 0;
  const schema = media.get("schema");
  const target = schema && types.library.resolve(schema);
  // A list of operations has no other schema. Source: RFC 6902, section 3.
  const isList = target?.textOf("type") === "array";
  return /\/json-patch\+json$/iu.test(typeOf(media.key)) && !isList ? 2 : 1;
}

/** Returns a media type in lowercase without its parameters. */
export function typeOf(name: string): string {
  return name.replace(/;.*$/su, "").trim().toLowerCase();
}

/**
 * Returns the media type of JSON as RIDL has it, or null if it is
 * `application/json`.
 */
export function jsonTypeOf(name: string): string | null {
  const type = typeOf(name);
  return type === "application/json" || type.includes("*") ? null : type;
}

/**
 * Whether a media type has the same values as JSON, such as YAML. Items of a
 * stream and patches mean more than their schema says.
 */
function hasValuesOfJson(name: string): boolean {
  return (
    !/patch|stream|seq|lines/iu.test(name) &&
    (isJsonType(name) ||
      /^text\/plain$|[/.+-](?:cbor|json|msgpack|protobuf|xml|yaml)$/u.test(
        typeOf(name),
      ))
  );
}

/** Whether a body is a form whose fields are written as usual. */
function isPlainForm(media: DocumentPart): boolean {
  const isForm = typeOf(media.key) === "application/x-www-form-urlencoded";
  return isForm && media.get("encoding") === null;
}

/**
 * Whether two media types have the same schema. A string is written in another
 * way outside of JSON.
 */
function hasSameSchema(
  json: DocumentPart,
  other: DocumentPart,
  types: Types,
): boolean {
  const written = json.get("schema")?.written;
  return (
    written !== undefined &&
    written === other.get("schema")?.written &&
    !hasType(json, "string", types)
  );
}

/** Whether a type is one of those of a body. */
function hasType(media: DocumentPart, name: string, types: Types): boolean {
  const schema = media.get("schema");
  const type = schema && types.library.resolve(schema)?.get("type");
  const all = type ? [type, ...type.items()] : [];
  return all.some(({ text }) => text === name);
}

/** Whether a media type is JSON, or may be any. */
export function isJsonType(name: string): boolean {
  return /^(?:application\/(?!stream\+json)(?:[^;]*\+)?json|\*\/\*|application\/\*|text\/json)\s*(?:;|$)/iu.test(
    name,
  );
}

/** Whether a body consists of several values of JSON, such as lines. */
export function isLines({ key }: DocumentPart): boolean {
  return /^(?:application|text)\/(?:x-)?(?:jsonl|json-?lines|ndjson|nd-json|(?:[^;]*\+)?json-seq|stream\+json)$/u.test(
    typeOf(key),
  );
}

/** Whether a body is JSON. Bytes of any type are a file. */
export function isJsonBody(media: DocumentPart, types: Types): boolean {
  const schema = media.key.includes("*") ? media.get("schema") : null;
  const isFile = schema !== null && fileTypeOf(schema, types) === "file";
  return isJsonType(media.key) && !isFile;
}

/** Notes that a text may be written as it is, if nothing says that it is JSON. */
export function noteText(media: DocumentPart, types: Types): void {
  if (!media.key.includes("*") || !hasType(media, "string", types)) return;
  const message = `\`${media.key}\` does not say how a string is written`;
  types.notes.add("wire", media, message, "it is JSON");
}

/** Notes the media type of a body that is a file, unless it says nothing. */
export function noteFile(media: DocumentPart, notes: NoteLog): void {
  if (/^application\/octet-stream\b|\*/iu.test(media.key)) return;
  const message = `RIDL does not say that the type of a file is \`${media.key}\``;
  notes.add("advice", media, message, "the sender says it with each file");
}

/** Returns the type of a binary schema, or null for any other schema. */
export function fileTypeOf(part: DocumentPart, types: Types): FileType {
  return new FileTypes(types).typeOf(part, 0);
}

type FileType = "file" | "[]file" | null;

/** Schemas can lead to each other in many ways, so each is read once. */
class FileTypes {
  readonly #types: Types;
  readonly #known = new Map<string, FileType>();

  constructor(types: Types) {
    this.#types = types;
  }

  typeOf(part: DocumentPart, depth: number): FileType {
    const target = this.#types.library.resolve(part);
    if (target === null || depth > 50) return null;
    const known = this.#known.get(target.id);
    if (known !== undefined) return known;
    this.#known.set(target.id, null);
    const found = this.#read(part, target, depth + 1);
    this.#known.set(target.id, found);
    return found;
  }

  #read(part: DocumentPart, target: DocumentPart, depth: number): FileType {
    const isBinary =
      target.textOf("format") === "binary" ||
      target.textOf("contentEncoding") === "binary" ||
      target.textOf("contentMediaType") === "application/octet-stream";
    if (isBinary) return "file";
    const items = target.get("items");
    if (items !== null) {
      return this.typeOf(items, depth) === "file" ? "[]file" : null;
    }
    const { library, notes } = this.#types;
    const variants = [target.get("anyOf"), target.get("oneOf")].flatMap(
      (list) => list?.items() ?? [],
    );
    const found = variants
      .filter((each) => library.resolve(each)?.textOf("type") !== "null")
      .map((each) => this.typeOf(each, depth));
    if (found.length === 0 || found.includes(null)) return null;
    if (!found.includes("[]file")) return "file";
    if (found.includes("file")) {
      const message = "a field can be both a file and a list of files";
      notes.add("advice", part, message, "it is a list of files");
    }
    return "[]file";
  }
}

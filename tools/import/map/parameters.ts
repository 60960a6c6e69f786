import { isHeaderName } from "../../../generator/2-check/notation/rest-binding.js";
import { headerOwner } from "../../../generator/2-check/notation/rest-binding.js";
import { noteKeywords } from "../notes/note-keywords.js";
import type { NoteLog } from "../notes/note.js";
import type { DocumentPart } from "../read/document-part.js";
import { describeUse, docsOf } from "./types/fields.js";
import type { MappedType, ModelField } from "../model/model.js";
import { type NameScope, toFieldName, toPascal } from "../model/names.js";
import { isJsonType, typeOf } from "./media-types.js";
import {
  noteOtherMembers,
  propertiesOf,
  type PropertyParameter,
} from "./query-objects.js";
import { stringsOf } from "./types/strings.js";
import type { Types } from "./types/types.js";

/** A field of a request that is outside its body. */
export interface MappedParameter {
  readonly field: ModelField;
  readonly place: ParameterPlace;
  /** The name in the path or the query, or the name of the header. */
  readonly name: string;
  /** Whether the items of a list in the query are separated by commas. */
  readonly isJoined: boolean;
}

/** Where a parameter is. */
type ParameterPlace = "path" | "query" | "header";

/** Headers that are no parameters, as OpenAPI says. */
const ownHeaders: ReadonlySet<string> = new Set([
  "accept",
  "content-type",
  "authorization",
]);

/**
 * Whether a parameter is the key of a call, which is no field. Calls with other
 * verbs need no key, so theirs is a usual header.
 */
export function isIdempotencyKey(part: DocumentPart, verb: string): boolean {
  const name = part.textOf("name") ?? "";
  return (
    /^(?:post|patch)$/u.test(verb) &&
    part.textOf("in") === "header" &&
    /^idempotency-key$/iu.test(name)
  );
}

/** Text of a query that stands for itself, without percent-encoding. */
const plainName = /^[^\s&=#?{}"%+]+$/u;

/** What else decides what the parameters of an operation are. */
interface ParameterSurroundings {
  /** In lower case. */
  readonly verb: string;
  readonly isCredential: (place: string, name: string) => boolean;
}

/** Maps the parameters of an operation and of its path. */
export function mapParameters(
  lists: readonly (DocumentPart | null)[],
  method: string,
  names: NameScope,
  types: Types,
  { isCredential, verb }: ParameterSurroundings,
): readonly MappedParameter[] {
  const all = new Map<string, DocumentPart>();
  for (const written of lists.flatMap((list) => list?.items() ?? [])) {
    const part = types.library.resolve(written);
    if (part === null) continue;
    const place = part.textOf("in") ?? "";
    const name = part.textOf("name") ?? "";
    if (isIdempotencyKey(part, verb)) continue;
    if (isCredential(place, name)) {
      const message = `the parameter \`${name}\` is a credential`;
      const instead = "only methods that require the credential send it";
      types.notes.add("advice", part, message, instead);
      continue;
    }
    const key = place === "header" ? name.toLowerCase() : name;
    all.set(`${place} ${key}`, part);
  }
  const isFree = ({ name }: PropertyParameter): boolean =>
    plainName.test(name) && !all.has(`query ${name}`);
  return [...all.values()].flatMap((part) => {
    const properties = propertiesOf(part, types.library);
    if (properties?.every(isFree) !== true) {
      return mapParameter(part, method, names, types, verb) ?? [];
    }
    noteParameter(part, types.notes);
    noteOtherMembers(part, types.library, types.notes);
    return properties.flatMap(
      (each) => mapProperty(each, method, names, types) ?? [],
    );
  });
}

function mapProperty(
  { name, schema, isRequired }: PropertyParameter,
  method: string,
  names: NameScope,
  types: Types,
): MappedParameter | null {
  const hint = method + toPascal(name);
  const mapped = mapSchema(schema, schema, "query", hint, types);
  if (mapped === null) return null;
  if (isList(mapped, types)) {
    const message = "OpenAPI does not say how an object contains a list";
    types.notes.add("advice", schema, message, `\`${name}=1&${name}=2\``);
  }
  const described = describeField(schema, schema, mapped, types);
  const own = { place: "query", name, isRequired, isJoined: false } as const;
  return placeField(own, described, names);
}

/** Whether a field can be this header. Input: the owners of other headers. */
export function isFieldHeader(
  name: string,
  ownerOf: (name: string) => string | null,
): boolean {
  return isHeaderName(name) && ownerOf(name.toLowerCase()) === null;
}

function mapParameter(
  part: DocumentPart,
  method: string,
  names: NameScope,
  types: Types,
  verb: string,
): MappedParameter | null {
  const { notes } = types;
  const place = part.textOf("in");
  const name = part.textOf("name") ?? "";
  if (place === "header" && ownHeaders.has(name.toLowerCase())) {
    const message = `the header \`${name}\` is not a parameter in OpenAPI`;
    notes.add("advice", part, message, "it is left out");
    return null;
  }
  noteParameter(part, notes);
  const isKnown =
    place === "path" ||
    (place === "query" && plainName.test(name)) ||
    (place === "header" &&
      isFieldHeader(name, (each) => headerOwner(each, verb.toUpperCase())));
  if (!isKnown) {
    const message = `RIDL has no parameter \`${name}\` in \`${place ?? ""}\``;
    notes.add("wire", part, message, "it is neither sent nor read");
    return null;
  }
  const schema = part.get("schema") ?? contentOf(part, place, types);
  const mapped = mapSchema(part, schema, place, method + toPascal(name), types);
  if (mapped === null) return null;
  noteStyle(part, place, mapped, types);
  const isRequired = place === "path" || part.get("required")?.isTrue === true;
  const joins = place === "query" && isList(mapped, types) && isJoined(part);
  const described = describeField(part, schema, mapped, types);
  return placeField(
    { place, name, isRequired, isJoined: joins },
    described,
    names,
  );
}

/**
 * Returns the schema of a parameter whose `content` is written like a parameter with
 * a `schema`. Notes other content, and returns null for it.
 */
function contentOf(
  part: DocumentPart,
  place: ParameterPlace,
  { library, notes }: Types,
): DocumentPart | null {
  const [media] = part.get("content")?.entries() ?? [];
  if (media === undefined) return null;
  const schema = media.get("schema");
  const type = schema && library.resolve(schema)?.textOf("type");
  const isJson = isJsonType(media.key);
  const isSame = isJson
    ? /^(?:boolean|integer|number)$/u.test(type ?? "")
    : typeOf(media.key) === "text/plain" && type === "string";
  if (isSame) return schema;
  const name = isJson ? "JSON" : `\`${media.key}\``;
  const message = `RIDL has no ${name} in the ${place}`;
  const instead = `the parameter is a string, which callers write in ${isJson ? name : "this type"}`;
  notes.add("value", part, message, instead);
  return null;
}

function placeField(
  own: Pick<MappedParameter, "isJoined" | "name" | "place"> & {
    readonly isRequired: boolean;
  },
  described: ReturnType<typeof describeField>,
  names: NameScope,
): MappedParameter {
  const { isJoined, isRequired, name, place } = own;
  // Case has no meaning in the names of headers.
  const written = place === "header" ? name.toLowerCase() : name;
  const field = {
    name: names.take(toFieldName(written)),
    wire: name,
    isOptional: !isRequired,
    ...described,
  };
  return { place, name, isJoined, field };
}

/** Returns what the name of a field outside a body does not change. */
export function describeField(
  part: DocumentPart,
  schema: DocumentPart | null,
  { metadata, type }: MappedType,
  types: Types,
): Pick<ModelField, "docs" | "metadata" | "part" | "type"> {
  const use = describeUse(schema ?? part, type, types, part);
  const docs = docsOf(part, schema);
  return { type, metadata: [...metadata, ...use], docs, part };
}

/** Maps the type of a parameter, which is text. */
export function mapSchema(
  part: DocumentPart,
  schema: DocumentPart | null,
  place: ParameterPlace,
  hint: string,
  types: Types,
): MappedType | null {
  const { notes } = types;
  if (schema === null) return { type: "string", metadata: [] };
  const mapped = types.map(schema, hint);
  const exact = withoutNull(mapped, types);
  const { type, metadata } = exact ?? mapped;
  if (exact !== null) {
    const message = `the ${place} cannot contain null`;
    notes.add("advice", schema, message, "null is not accepted");
  }
  switch (textKind(type, types)) {
    case "text":
      return { type, metadata };
    case "any": {
      const message = `RIDL has no unions in the ${place}`;
      const isMany = itemOf(type, types) !== null;
      const known = textOf({ type, metadata }, place, types);
      const level = known === null ? "value" : "advice";
      const text = known ?? (isMany ? "[]string" : "string");
      notes.add(level, schema, message, `the type is \`${text}\``);
      return { type: text, metadata: [] };
    }
    case "none": {
      const message = `RIDL has no objects in the ${place}`;
      const isLeftOut = place !== "path";
      const instead = isLeftOut ? "is left out" : "is a string";
      notes.add("wire", part, message, `the parameter ${instead}`);
      return isLeftOut ? null : { type: "string", metadata: [] };
    }
  }
}

/** Returns a type without null, or null if it has none. Aliases can add it. */
function withoutNull(
  { metadata, type }: MappedType,
  types: Types,
  depth = 0,
): MappedType | null {
  const kept = metadata.filter(({ key }) => key !== "nullable");
  const inner = depth > 50 ? null : innerWithoutNull(type, types, depth);
  if (inner === null) {
    return kept.length < metadata.length ? { type, metadata: kept } : null;
  }
  const others = inner.metadata.filter(({ key }) =>
    kept.every((each) => each.key !== key),
  );
  return { type: inner.type, metadata: [...kept, ...others] };
}

function innerWithoutNull(
  type: string,
  types: Types,
  depth: number,
): MappedType | null {
  if (type.startsWith("[]")) {
    const listed = { type: type.slice(2), metadata: [] };
    const item = withoutNull(listed, types, depth + 1);
    // Items have no limits of their own.
    if (item === null || item.metadata.length > 0) return null;
    return { type: `[]${item.type}`, metadata: [] };
  }
  const body = types.find(type)?.body;
  if (body?.kind !== "alias") return null;
  const isUnion = body.metadata.some(({ key }) => key === "oneOf");
  return isUnion ? null : withoutNull(body, types, depth + 1);
}

/**
 * Returns the type of all texts that a union has in a parameter, or null if there
 * is none: strings include numbers, and lists in a query include single values.
 */
function textOf(
  { metadata, type }: MappedType,
  place: ParameterPlace,
  types: Types,
): string | null {
  const item = itemOf(type, types);
  if (item !== null) {
    const text = textOf({ type: item, metadata: [] }, place, types);
    return text === null || itemOf(text, types) !== null ? null : `[]${text}`;
  }
  const body = types.find(type)?.body;
  const alias = body?.kind === "alias" ? body : { metadata, type };
  const union = alias.metadata.find(({ key }) => key === "oneOf");
  const names = union?.value.split("|") ?? [];
  const [list, ...others] = names.filter((each) => itemOf(each, types));
  const isText = names.every(
    (each) => each === list || textKind(each, types, 0, true) === "text",
  );
  if (!isText || others.length > 0) return null;
  if (list === undefined) {
    return names.find((each) => stringsOf(each, types) === "all") ?? null;
  }
  const listed = place === "query" ? itemOf(list, types) : null;
  const isAll = listed !== null && stringsOf(listed, types) === "all";
  return isAll && !needsItems(list, types) ? list : null;
}

/** Whether a list with one item is not valid. */
function needsItems(type: string, types: Types): boolean {
  const body = types.find(type)?.body;
  const metadata = body?.kind === "alias" ? body.metadata : [];
  return metadata.some(
    ({ key, value }) => key === "minItems" && Number(value) > 1,
  );
}

/** Returns the type of the items of a list, or null for other types. */
export function itemOf(type: string, types: Types, depth = 0): string | null {
  const body = types.find(type)?.body;
  if (body?.kind === "alias") {
    return depth > 50 ? null : itemOf(body.type, types, depth + 1);
  }
  return type.startsWith("[]") && type !== "[]byte" ? type.slice(2) : null;
}

/** Whether values of a type are text: scalars, enums and lists of these. */
function textKind(
  type: string,
  types: Types,
  depth = 0,
  isItem = false,
): "text" | "any" | "none" {
  if (depth > 50) return "none";
  if (type === "[]byte") return "text";
  if (type.startsWith("[]")) {
    return isItem ? "none" : textKind(type.slice(2), types, depth + 1, true);
  }
  if (type.startsWith("map<") || type === "null") return "none";
  if (type === "any") return "any";
  const declared = types.find(type);
  if (declared === undefined) return "text";
  switch (declared.body.kind) {
    case "enum":
      return "text";
    case "struct":
      return "none";
    case "alias": {
      const { metadata } = declared.body;
      const isNullable = metadata.some(({ key }) => key === "nullable");
      const union = metadata.find(({ key }) => key === "oneOf");
      const variants = union?.value.split("|") ?? [];
      const areObjects =
        variants.length > 0 &&
        variants.every((each) => types.structOf(each) !== null);
      if (areObjects) return "none";
      return isNullable
        ? "any"
        : textKind(declared.body.type, types, depth + 1, isItem);
    }
  }
}

/** Whether a list is one pair, and its items are not separated by spaces, say. */
function isJoined(part: DocumentPart): boolean {
  return isForm(part) && part.get("explode")?.isFalse === true;
}

/** Bytes are one base64 text. */
function isList({ type }: MappedType, types: Types): boolean {
  return itemOf(type, types) !== null;
}

function isForm(part: DocumentPart): boolean {
  return (part.textOf("style") ?? "form") === "form";
}

/** Notes lists that are written in another way than RIDL does. */
function noteStyle(
  part: DocumentPart,
  place: ParameterPlace,
  mapped: MappedType,
  types: Types,
): void {
  const { notes } = types;
  if (place !== "query") {
    const style = part.textOf("style") ?? "simple";
    if (style === "simple") return;
    const message = `RIDL has no style \`${style}\` of parameters`;
    notes.add("wire", part.get("style") ?? part, message, "it is `simple`");
    return;
  }
  if (!isList(mapped, types) || isForm(part)) return;
  const message = "RIDL writes each item of a list as a parameter of its own";
  const at = part.get("style") ?? part.get("explode") ?? part;
  notes.add("wire", at, message, "`a=1&a=2`");
}

/**
 * Notes the keywords of a parameter. Servers decode a query, but a path with `/`
 * has more segments than one with `%2F`. Other places have no reserved characters.
 */
function noteParameter(part: DocumentPart, notes: NoteLog): void {
  noteKeywords(part, "parameter", notes);
  const reserved = part.get("allowReserved");
  const place = part.textOf("in");
  const type = part.get("schema")?.textOf("type") ?? "";
  if (reserved?.isTrue !== true || /^(?:integer|number|boolean)$/u.test(type)) {
    return;
  }
  if (place !== "path" && place !== "query") return;
  notes.add(
    place === "path" ? "wire" : "advice",
    reserved,
    "RIDL has no equivalent of `allowReserved`",
    "reserved characters are percent-encoded",
  );
}

import type { Meta, ModelField } from "../model/model.js";
import type { ModelStruct, Types } from "./types/types.js";

/** Names of fields that usually contain a part of an error, best first. */
const usualNames = {
  message: [
    ...["message", "detail", "error_description", "error_message"],
    ...["errorMessage", "msg", "title", "description", "reason", "error"],
  ],
  name: ["code", "error_code", "errorCode", "id", "name", "type", "error"],
  status: ["status", "status_code", "statusCode", "httpStatus"],
  title: ["title", "type", "error", "summary", "reason"],
} as const;

type Role = keyof typeof usualNames | "code";

/** Limits that a field with a part of every error cannot have. */
const limits: ReadonlySet<string> = new Set([
  ...["enum", "format", "maximum", "maxLength", "minimum", "minLength"],
  ...["pattern", "oneOf", "tag"],
]);

const integers = ["int", "int32", "int64"];

/**
 * Prepares a struct to be the body of all errors of a document: names the parts
 * of an error by the usual names of fields, and makes fields optional whose
 * value servers do not know.
 */
export function prepareErrorBody(struct: ModelStruct, types: Types): void {
  const holder = findHolder(struct, types, new Set());
  for (const each of new Set([holder ?? struct, struct])) {
    addRoles(each, hasTexts(each, types));
  }
  relax(struct, types, new Set());
}

/** Finds the struct with the message: the body, or one inside of it. */
function findHolder(
  struct: ModelStruct,
  types: Types,
  visited: Set<ModelStruct>,
): ModelStruct | null {
  if (visited.has(struct) || visited.size > 8) return null;
  visited.add(struct);
  if (hasTexts(struct, types)) return struct;
  if (findField(struct, "message") !== null) return struct;
  for (const field of struct.body.fields) {
    const inner = types.structOf(field.type.replace(/^\[\]/u, ""));
    const found = inner && findHolder(inner, types, visited);
    if (found) return found;
  }
  return null;
}

/**
 * Whether the field with the message can be a list of texts, as in NestJS. Clients
 * find them, and another field is no message.
 */
function hasTexts({ body }: ModelStruct, types: Types): boolean {
  const field = body.fields.find(({ wire }) => wire === "message");
  if (field === undefined) return false;
  const declared = types.find(field.type)?.body;
  const metadata =
    declared?.kind === "alias" ? declared.metadata : field.metadata;
  const variants = valueOf(metadata, "oneOf")?.split("|") ?? [field.type];
  return variants.includes("[]string");
}

function addRoles(struct: ModelStruct, hasTexts: boolean): void {
  const roles = ["message", "name", "status", "title"] as const;
  for (const role of hasTexts ? roles.slice(1) : roles) {
    const field = findField(struct, role);
    if (field === null) continue;
    const isCode = role === "name" && field.type !== "string";
    const entry = { key: "error", value: isCode ? "code" : role };
    const metadata = [...field.metadata, entry];
    const { fields } = struct.body;
    struct.body.fields = fields.with(fields.indexOf(field), {
      ...field,
      metadata,
    });
  }
}

function findField(
  { body: { fields } }: ModelStruct,
  role: keyof typeof usualNames,
): ModelField | null {
  if (fields.some((field) => hasRole(field, role))) return null;
  const usual = usualNames[role].flatMap(
    (name) => fields.find(({ wire }) => wire === name) ?? [],
  );
  return usual.find((field) => canContain(field, role)) ?? null;
}

function canContain(
  { isOptional, metadata, type }: ModelField,
  role: Role,
): boolean {
  // A title says nothing that the message does not say.
  if (role === "title" && isOptional) return false;
  if (metadata.some(({ key }) => key === "error" || limits.has(key)))
    return false;
  if (type === "string") return true;
  return role !== "message" && role !== "title" && integers.includes(type);
}

function hasRole({ metadata }: ModelField, role: Role): boolean {
  return valueOf(metadata, "error") === role;
}

/** Makes required fields optional that a server cannot fill in. */
function relax(
  struct: ModelStruct,
  types: Types,
  visited: Set<ModelStruct>,
): void {
  if (visited.has(struct)) return;
  visited.add(struct);
  struct.body.fields = struct.body.fields.map((field) => {
    const isList = field.type.startsWith("[]");
    const inner = types.structOf(field.type.replace(/^\[\]/u, ""));
    const isVisited = inner !== null && visited.has(inner);
    if (inner !== null && !isVisited) relax(inner, types, visited);
    const isStruct = inner !== null && !isList && !isVisited;
    if (field.isOptional || isStruct || isFilled(field, types)) return field;
    types.notes.add(
      "value",
      field.part,
      "servers create errors that have no value for this required field",
      "the field is optional",
    );
    return { ...field, isOptional: true };
  });
}

function isFilled({ metadata, type }: ModelField, types: Types): boolean {
  const get = (key: string): string | undefined => valueOf(metadata, key);
  if (get("error") !== undefined || get("nullable") === "true") return true;
  if (get("extra") === "true") return true;
  const only = get("enum");
  if (only !== undefined) return !only.includes("|");
  const body = types.find(type)?.body;
  if (body?.kind === "enum") return body.members.length === 1;
  const isEmptyable = type.startsWith("[]") || type.startsWith("map<");
  const isLimited = metadata.some(({ key }) => /^min/u.test(key));
  return isEmptyable && !isLimited;
}

function valueOf(metadata: readonly Meta[], key: string): string | undefined {
  return metadata.find((each) => each.key === key)?.value;
}

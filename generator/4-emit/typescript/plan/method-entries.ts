import type { ErrorMember, Resume } from "../../../ir/contract.js";
import {
  type FieldSlot,
  fieldsAt,
  type FixedPair,
  foldRequest,
  scalarWriting,
  skip,
} from "../../../http/slots.js";
import type {
  StatusBody,
  WireBody,
  WireRequest,
} from "../../../http/wire-method.js";
import type { Doc } from "../text/format.js";
import { quoteNumber, quoteString } from "../text/quote.js";
import {
  arrayOf,
  callOf,
  entryOf,
  withKey,
  objectOf,
  pureCallOf,
} from "../text/shapes.js";
import type { Imports } from "./imports.js";
import type {
  FieldPlan,
  MethodPlan,
  ObjectPlan,
  StructPlan,
  UnionPlan,
  Value,
} from "./plan.js";

/**
 * Returns the entries for the query of a REST method, if it has one. Input: how
 * a pair without a field is printed.
 */
export function queryEntries(
  request: WireRequest,
  fixed: (pair: FixedPair) => readonly Doc[],
): readonly Doc[] {
  const entries = foldRequest<Doc>(request, {
    path: skip,
    query: ({ field, name }) => [
      withKey(name, (key) => entryOf(key, quoteString(field.jsonName))),
    ],
    fixed,
    header: skip,
    member: skip,
    part: skip,
    whole: skip,
  });
  if (entries.length === 0) return [];
  const joined = fieldsAt(request, "query").flatMap(({ list, name }) =>
    list === "joined" ? quoteString(name) : [],
  );
  return [
    ["query: ", objectOf(entries)],
    ...(joined.length === 0 ? [] : [["joined: ", arrayOf(joined)]]),
  ];
}

/** Prints a pair of a query that clients always send. */
export function fixedEntry({ name, value }: FixedPair): readonly Doc[] {
  return [withKey(name, (key) => [`${key}: `, arrayOf([quoteString(value)])])];
}

/** Returns the entry for the fields of a request in headers, if there are any. */
export function requestHeadersEntry(request: WireRequest): readonly Doc[] {
  return headersEntry(fieldsAt(request, "header"));
}

/** Returns the entry for headers with fields, if there are any. */
export function headersEntry(
  headers: readonly FieldSlot[],
  key = "headers",
): readonly Doc[] {
  if (headers.length === 0) return [];
  const entries = headers.map(({ field, name }) =>
    withKey(name.toLowerCase(), (key) =>
      entryOf(key, quoteString(field.jsonName)),
    ),
  );
  return [[`${key}: `, objectOf(entries)]];
}

/** Returns the entry for the cursor of a stream, if it has one. */
export function resumeEntry(
  imports: Pick<Imports, "runtime">,
  resume: Resume | null,
): readonly Doc[] {
  if (resume === null) return [];
  const callee = imports.runtime("codegen/resume-stream", "resumeAfter");
  const names = [resume.argument, ...resume.cursor].map(quoteString);
  return [["resume: ", pureCallOf(callee, names)]];
}

/** Returns the entry for the statuses of a success, if there are several. */
export function statusesEntry(statuses: readonly StatusBody[]): readonly Doc[] {
  return statuses.length === 0 ? [] : [["statuses: ", statusesOf(statuses)]];
}

/** Prints statuses with the fields that are their bodies. */
export function statusesOf(statuses: readonly StatusBody[]): Doc {
  return objectOf(
    statuses.map(({ body, status }) =>
      entryOf(
        String(status),
        body === null ? "null" : quoteString(body.jsonName),
      ),
    ),
  );
}

/** Returns the entry for the body of a request, if it has one. */
export function requestBodyEntry({ kind, whole }: WireBody): readonly Doc[] {
  switch (kind) {
    case "none":
      return [];
    case "object":
      return ["requestBody: true"];
    case "whole":
      return [entryOf("requestBody", quoteString(whole.jsonName))];
  }
}

/** Returns the entry for the media type of the body, unless it is the default. */
export function mediaTypeEntry(body: WireBody): readonly Doc[] {
  const type = mediaTypeOf(body);
  return type === null ? [] : [entryOf("mediaType", quoteString(type))];
}

function mediaTypeOf({
  content,
  hasParts,
  mediaType,
  statedMediaType,
}: WireBody): string | null {
  switch (content.kind) {
    case "json":
      return statedMediaType;
    case "file":
      return "*";
    case "form":
      return hasParts ? "multipart/form-data" : mediaType;
  }
}

/** Returns the entry with the function that reads the requests of a REST method. */
export function readEntry(
  imports: Pick<Imports, "runtime">,
  { content, fields, hasParts }: WireBody,
  request: ObjectPlan,
): Doc {
  const readerOf = (name: string): string =>
    imports.runtime("codegen/read-requests", name);
  switch (content.kind) {
    case "json":
      return entryOf("read", readerOf("readRest"));
    case "file":
      return entryOf("read", readerOf("readFile"));
    case "form": {
      const callee = readerOf(hasParts ? "readParts" : "readForm");
      const form = formEntries(fields, request);
      return ["read: ", pureCallOf(callee, [], form)];
    }
  }
}

/** Returns the entry for the members that a server fills in, if any. */
export function membersEntry(members: readonly ErrorMember[]): readonly Doc[] {
  return members.length === 0
    ? []
    : [["members: ", arrayOf(members.map(memberOf))]];
}

function memberOf({
  isOpen,
  isText,
  names,
  path,
  role,
  value,
}: ErrorMember): Doc {
  const keys = path.map((key) => (key === 0 ? "0" : quoteString(key)));
  const hasText = isText && (role === "code" || role === "status");
  return objectOf([
    ["path: ", arrayOf(keys)],
    ...(role === null
      ? [entryOf("value", constantOf(value))]
      : [entryOf("role", quoteString(role))]),
    ...(names === null ? [] : [["names: ", namesOf(names)]]),
    ...(isOpen ? ["isOpen: true"] : []),
    ...(hasText ? ["isText: true"] : []),
  ]);
}

function namesOf(names: Readonly<Record<string, string>>): Doc {
  const entries = Object.entries(names).map(([name, value]) =>
    withKey(name, (key) => entryOf(key, quoteString(value))),
  );
  return objectOf(entries);
}

function constantOf(value: ErrorMember["value"]): string {
  if (typeof value === "string") return quoteString(value);
  const isNumber = typeof value === "number" || typeof value === "bigint";
  return isNumber ? quoteNumber(value) : JSON.stringify(value);
}

/** Returns the entries that say how a server reads a form with these fields. */
function formEntries(
  sent: WireBody["fields"],
  { fields }: ObjectPlan,
): readonly Doc[] {
  const inBody = fields.filter(({ field }) => sent.includes(field));
  const types = new Set<StructPlan | UnionPlan>();
  const body = structEntries(inBody, types);
  // A loop over a set also visits members that are added to it.
  const declared: Doc[] = [];
  for (const type of types) {
    const entries =
      type.kind === "struct"
        ? structEntries(type.fields, types)
        : unionEntries(type, types);
    declared.push(
      withKey(type.schemaName, (key) => [`${key}: `, objectOf(entries)]),
    );
  }
  const shared = declared.length === 0 ? [] : [["types: ", objectOf(declared)]];
  return [...body, ...shared];
}

/** Collects the declared types that a form refers to. */
type FormTypes = Set<StructPlan | UnionPlan>;

function structEntries(
  fields: readonly FieldPlan[],
  types: FormTypes,
): readonly Doc[] {
  const extra = fields.find(({ field }) => field.isExtra)?.type;
  const declared = fields.filter(({ field }) => !field.isExtra);
  const filled = declared.filter(
    ({ field, type }) => !field.isOptional && isCollection(type),
  );
  const entries = declared.map(({ field, type }) =>
    withKey(field.jsonName, (key) => [`${key}: `, formValue(type, types)]),
  );
  return [
    ["fields: ", objectOf(entries)],
    ...(filled.length === 0
      ? []
      : [
          [
            "filled: ",
            arrayOf(filled.map(({ field }) => quoteString(field.jsonName))),
          ],
        ]),
    ...(extra?.kind === "map"
      ? [["extra: ", formValue(extra.held, types)]]
      : []),
  ];
}

/** Whether a value without pairs is empty instead of absent. */
function isCollection(value: Value): boolean {
  switch (value.kind) {
    case "list":
    case "map":
    case "struct":
      return true;
    case "bytes":
    case "enum":
    case "scalar":
    case "union":
      return false;
  }
}

function unionEntries(
  { union, variants }: UnionPlan,
  types: FormTypes,
): readonly Doc[] {
  const scalars = variants.filter(({ kinds }) => !kinds.has("object"));
  const [scalar] = scalars;
  const objects = variants.filter(({ kinds }) => kinds.has("object"));
  const rows = objects.map(({ marks, tags, value }) =>
    objectOf([
      ...(union.tag === null ? [] : namesEntry("tags", tags.map(String))),
      ...namesEntry(
        "marks",
        marks.map(({ name }) => name),
      ),
      ["value: ", formValue(value, types)],
    ]),
  );
  return [
    ...(scalar === undefined
      ? []
      : [["scalar: ", formValue(scalar.value, types)]]),
    ...(union.tag === null ? [] : [entryOf("tag", quoteString(union.tag))]),
    ["variants: ", arrayOf(rows)],
  ];
}

/** Returns the entry for a list of names, if there are any. */
export function namesEntry(
  key: string,
  names: readonly string[],
): readonly Doc[] {
  return names.length === 0
    ? []
    : [[`${key}: `, arrayOf(names.map(quoteString))]];
}

/** Prints how a value is written in a form. */
function formValue(value: Value, types: FormTypes): Doc {
  switch (value.kind) {
    case "scalar":
      if (value.form.sample === "file") return quoteString("file");
      return quoteString(scalarWriting(value.name));
    case "bytes":
    case "enum":
      return quoteString("text");
    case "list":
      return objectOf([["list: ", formValue(value.held, types)]]);
    case "map":
      return objectOf([["map: ", formValue(value.held, types)]]);
    case "struct":
    case "union":
      types.add(value.type);
      return objectOf([entryOf("type", quoteString(value.type.schemaName))]);
  }
}

/** Whether a REST method returns a file. */
export function isDownload({ kind, method: { route } }: MethodPlan): boolean {
  return kind === "transfer" && route.kind === "rest";
}

/** Whether a REST method returns a stream of server-sent events. */
export function isEventStream({
  kind,
  method: { route },
}: MethodPlan): boolean {
  return kind === "stream" && route.kind === "rest";
}

/**
 * Prints a REST method that returns a file or a stream. Input: the same method
 * with a single JSON value as its response.
 */
export function wrappedOf(imports: Imports, plan: MethodPlan, made: Doc): Doc {
  const { response } = plan;
  const callee = isEventStream(plan)
    ? imports.runtime("codegen/event-stream", "eventStream")
    : imports.runtime("codegen/create-transfers", "download");
  return callOf(
    ["/* @__PURE__ */ ", callee],
    [made, ...response.files.map(quoteString)],
  );
}

/** Prints the interceptors that send files of REST methods, if there are any. */
export function fileSenders(
  imports: Imports,
  plan: MethodPlan,
): readonly Doc[] {
  return [...partsSender(imports, plan), ...fileSender(imports, plan)];
}

/** Prints the interceptor that sends a form with files, if the request is one. */
function partsSender(
  imports: Imports,
  { method: { route }, wire: { request } }: MethodPlan,
): readonly Doc[] {
  if (route.kind !== "rest") return [];
  const parts = fieldsAt(request, "part");
  if (parts.length === 0) return [];
  const isList = ({ field }: FieldSlot): boolean => field.type.kind === "list";
  const inOrder = [
    ...parts.filter((part) => !isList(part)),
    ...parts.filter(isList),
  ];
  const entries = inOrder.map(({ field, name }) =>
    withKey(field.jsonName, (key) => entryOf(key, quoteString(name))),
  );
  const callee = imports.runtime("codegen/send-parts", "sendParts");
  return [pureCallOf(callee, [], entries)];
}

/** Prints the interceptor that sends a file as the body, if the body is one. */
function fileSender(
  imports: Imports,
  { wire: { request } }: MethodPlan,
): readonly Doc[] {
  const { content, whole } = request.body;
  if (content.kind !== "file" || whole === null) return [];
  const callee = imports.runtime("codegen/send-file", "sendFile");
  return [pureCallOf(callee, [quoteString(whole.jsonName)])];
}

/** Returns entries with the names of the fields that are files. */
export function fileEntries({
  method,
  request,
  response,
}: MethodPlan): readonly Doc[] {
  // REST methods send them on their own.
  if (method.route.kind === "rest") return [];
  const names = [...request.files, ...request.fileLists].map(quoteString);
  const [download] = response.files;
  return [
    ...(names.length === 0 ? [] : [["files: ", arrayOf(names)]]),
    ...(download === undefined ? [] : [entryOf("file", quoteString(download))]),
  ];
}

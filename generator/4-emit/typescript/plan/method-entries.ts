import type {
  ErrorMember,
  RequestBody,
  HeaderField,
  QueryParameter,
  Resume,
  SuccessStatus,
} from "../../../ir/contract.js";
import { isJoined } from "../../../ir/query-fields.js";
import {
  isFormFormat,
  listMarks,
  type RestRoute,
} from "../../../ir/rest-target.js";
import type { Doc } from "../text/format.js";
import { quoteNumber, quoteString } from "../text/quote.js";
import {
  arrayOf,
  callOf,
  entryOf,
  keyedOf,
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

/** Returns the entries for the query of a REST method, if it has one. */
export function queryEntry(query: readonly QueryParameter[]): readonly Doc[] {
  if (query.length === 0) return [];
  const entries = query.map((each) =>
    keyedOf(each.name, (key) =>
      each.kind === "field"
        ? `${key}: ${quoteString(each.field)}`
        : [`${key}: `, arrayOf([quoteString(each.value)])],
    ),
  );
  const names = query.filter(isJoined).map(({ name }) => quoteString(name));
  return [
    ["query: ", objectOf(entries)],
    ...(names.length === 0 ? [] : [["joined: ", arrayOf(names)]]),
  ];
}

/** Returns the entry for headers with fields, if there are any. */
export function headersEntry(
  headers: readonly HeaderField[],
  key = "headers",
): readonly Doc[] {
  if (headers.length === 0) return [];
  const entries = headers.map(({ field, name }) =>
    keyedOf(name.toLowerCase(), (key) => entryOf(key, quoteString(field))),
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
export function statusesEntry(
  statuses: readonly SuccessStatus[],
): readonly Doc[] {
  return statuses.length === 0 ? [] : [["statuses: ", statusesOf(statuses)]];
}

/** Prints statuses with the fields that are their bodies. */
export function statusesOf(statuses: readonly SuccessStatus[]): Doc {
  return objectOf(
    statuses.map(({ body, status }) =>
      entryOf(String(status), body === null ? "null" : quoteString(body)),
    ),
  );
}

/** Whether the whole body of a request is a file. */
export function isFileBody(
  body: RequestBody,
): body is Extract<RequestBody, { readonly kind: "field" }> {
  return body.kind === "field" && body.format === "file";
}

/** Returns the entry for the body of a request, if it has one. */
export function requestBodyEntry(body: RequestBody): readonly Doc[] {
  switch (body.kind) {
    case "none":
      return [];
    case "fields":
      return ["requestBody: true"];
    case "field":
      return [entryOf("requestBody", quoteString(body.field))];
  }
}

/** Returns the entry for the media type of JSON, if it is not the usual one. */
export function mediaTypeEntry(body: RequestBody): readonly Doc[] {
  return body.kind === "none" || body.mediaType === null
    ? []
    : [entryOf("mediaType", quoteString(body.mediaType))];
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
    keyedOf(name, (key) => entryOf(key, quoteString(value))),
  );
  return objectOf(entries);
}

function constantOf(value: ErrorMember["value"]): string {
  if (typeof value === "string") return quoteString(value);
  const isNumber = typeof value === "number" || typeof value === "bigint";
  return isNumber ? quoteNumber(value) : JSON.stringify(value);
}

/** Returns the entry that says how a server reads a form, if the body is one. */
export function formEntry(
  { requestBody }: RestRoute,
  { fields }: ObjectPlan,
): readonly Doc[] {
  if (requestBody.kind === "none" || !isFormFormat(requestBody.format)) {
    return [];
  }
  const names =
    requestBody.kind === "field" ? [requestBody.field] : requestBody.fields;
  const inBody = fields.filter(({ field }) => names.includes(field.jsonName));
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
      keyedOf(type.schemaName, (key) => [`${key}: `, objectOf(entries)]),
    );
  }
  const shared = declared.length === 0 ? [] : [["types: ", objectOf(declared)]];
  return [["form: ", objectOf([...body, ...shared])]];
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
    keyedOf(field.jsonName, (key) => [`${key}: `, formValue(type, types)]),
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

function namesEntry(key: string, names: readonly string[]): readonly Doc[] {
  return names.length === 0
    ? []
    : [[`${key}: `, arrayOf(names.map(quoteString))]];
}

/** Prints how a value is written in a form. */
function formValue(value: Value, types: FormTypes): Doc {
  switch (value.kind) {
    case "scalar":
      if (value.form.sample === "file") return quoteString("file");
      return quoteString(value.form.writing === "bare" ? "json" : "text");
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
  { method: { route }, request: { fileLists, files } }: MethodPlan,
): readonly Doc[] {
  if (route.kind !== "rest" || route.requestBody.kind === "none") return [];
  const mark = listMarks[route.requestBody.format];
  if (mark === null || files.length + fileLists.length === 0) return [];
  const entries = [...files, ...fileLists].map((field, index) => {
    const name = index < files.length ? field : field + mark;
    return keyedOf(field, (key) => entryOf(key, quoteString(name)));
  });
  const callee = imports.runtime("codegen/send-parts", "sendParts");
  return [pureCallOf(callee, [], entries)];
}

/** Prints the interceptor that sends a file as the body, if the body is one. */
function fileSender(
  imports: Imports,
  { method: { route } }: MethodPlan,
): readonly Doc[] {
  if (route.kind !== "rest" || !isFileBody(route.requestBody)) return [];
  const callee = imports.runtime("codegen/send-file", "sendFile");
  return [pureCallOf(callee, [quoteString(route.requestBody.field)])];
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

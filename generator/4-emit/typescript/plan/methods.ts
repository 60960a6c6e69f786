import { pathParameters } from "../../../ir/path-template.js";
import { queryFieldsOf } from "../../../ir/query-fields.js";
import { credentialsOf } from "../../../ir/credentials-of.js";
import type { Message, Method } from "../../../ir/contract.js";
import { bodyOutputsOf } from "../../../ir/rest-target.js";
import type { MethodNames } from "../names/names.js";
import type {
  Composite,
  CredentialPlan,
  ErrorDataPlan,
  ExactMethod,
  MessagePlan,
  MethodPlan,
  ObjectPlan,
  PagingPlan,
  UnitPlan,
  Value,
  AddressFields,
} from "./plan.js";
import { compositeIn, extraOf } from "./values.js";

/** The messages of a method before it is planned. */
export interface MethodDraft {
  readonly method: Method;
  readonly names: MethodNames;
  readonly request: ObjectPlan;
  readonly response: ObjectPlan;
  readonly exact: ExactMethod;
  readonly errorData: readonly ErrorDataPlan[];
  readonly paging: PagingPlan | null;
}

/** The parts of a host that a method's plan depends on. */
export interface MethodSurroundings {
  readonly unit: UnitPlan;
  readonly credentials: readonly CredentialPlan[];
  /** Structs that are used by several responses of the host or inside one. */
  readonly shared: ReadonlySet<Composite>;
}

/** Decides what is emitted for a method. */
export function planMethod(
  draft: MethodDraft,
  { credentials, shared, unit }: MethodSurroundings,
): MethodPlan {
  const { errorData, exact, method, names, paging } = draft;
  const request = planMessage(method.request, draft.request, unit);
  const response = planMessage(method.response, draft.response, unit);
  return {
    method,
    names,
    kind: kindOf(method, request, response),
    path: routePath(method),
    inAddress: addressFields(method, draft.request),
    credentials: credentialsOf(method, { credentials }),
    request,
    response,
    reader: readerOf(method, response, unit, shared),
    printed: printedPart(method, draft.response),
    exact,
    errorData,
    paging,
  };
}

function planMessage(
  message: Message,
  object: ObjectPlan,
  { needs }: UnitPlan,
): MessagePlan {
  const { decodes, encodes, loses } = needs.ofComposite(object);
  return {
    message,
    object,
    decodes,
    encodes,
    loses,
    files: namesOf(object, isFile),
    fileLists: namesOf(
      object,
      (value) => value.kind === "list" && isFile(value.held),
    ),
  };
}

/** Returns the JSON names of the fields whose types satisfy a test. */
function namesOf(
  { fields }: ObjectPlan,
  isChosen: (value: Value) => boolean,
): readonly string[] {
  return fields.flatMap(({ field, type }) =>
    isChosen(type) ? field.jsonName : [],
  );
}

function isFile(value: Value): boolean {
  return value.kind === "scalar" && value.form.sample === "file";
}

function kindOf(
  { route }: Method,
  request: MessagePlan,
  response: MessagePlan,
): MethodPlan["kind"] {
  if (response.message.isStream) return "stream";
  // An interceptor of a REST method sends files.
  const sender = route.kind === "rest" ? [] : [request];
  return [...sender, response].some(hasFiles) ? "transfer" : "call";
}

/** Whether a message contains files. */
export function hasFiles({ fileLists, files }: MessagePlan): boolean {
  return files.length + fileLists.length > 0;
}

function readerOf(
  { route }: Method,
  { message, object }: MessagePlan,
  { needs }: UnitPlan,
  shared: ReadonlySet<Composite>,
): MethodPlan["reader"] {
  const { guards, reads } = needs.ofComposite(object);
  // The response to a webhook is not read.
  if (!guards || route.kind === "webhook") return null;
  if (!reads) return "drop-nulls";
  const isShared = message.struct !== null && shared.has(object);
  return isShared || extraOf(object) !== undefined ? "shared" : "inline";
}

function printedPart(
  { route }: Method,
  { fields }: ObjectPlan,
): MethodPlan["printed"] {
  const bodies = route.kind === "rest" ? bodyOutputsOf(route) : [];
  const printed = fields.filter(
    ({ field, type }) =>
      bodies.includes(field.jsonName) && compositeIn(type) !== null,
  );
  if (bodies.length > 0) return printed;
  // Nothing is left for the body.
  const isElsewhere =
    route.kind === "rest" &&
    (route.responseHeaders.length > 0 || route.statuses.length > 0);
  const isJson = fields.every(({ type }) => !isFile(type));
  return isJson && fields.length > 0 && !isElsewhere ? "message" : [];
}

/**
 * Returns the path of a method in a request line, e.g. `/rpc/API/GetOrders` or
 * `/tokens/{network}/{tokenIDs}`, or "" if the caller chooses the address.
 */
export function routePath({ route }: Method): string {
  switch (route.kind) {
    case "rpc":
      return encodePath(route.path);
    case "rest":
      return encodePath(route.path.text);
    case "webhook":
      return "";
  }
}

function encodePath(path: string): string {
  if (/^[\w/.-]*$/u.test(path)) return path;
  return path
    .split(/(\{\w+\})/u)
    .map((part, index) => (index % 2 === 1 ? part : encodeText(part)))
    .join("");
}

/**
 * Percent-encodes text of a path, so that client and server use the same path.
 * Keeps escapes such as `%20`.
 */
function encodeText(text: string): string {
  return encodeURI(text.replace(/\p{Surrogate}/gu, "\ufffd"))
    .replace(/%25(?=[0-9a-f]{2})/giu, "%")
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23");
}

/** Finds the fields in the address of a REST method that must be parsed. */
function addressFields({ route }: Method, request: ObjectPlan): AddressFields {
  if (route.kind !== "rest") return { lists: [], json: [], emptyLists: [] };
  const parts = [...queryFieldsOf(route), ...route.headers];
  const afterPath = parts.map(({ field }) => field);
  const bound = new Set([...pathParameters(route.path), ...afterPath]);
  const inAddress = {
    ...request,
    fields: request.fields.filter(({ field }) => bound.has(field.jsonName)),
  };
  // Bytes are one base64 string, not a list.
  const lists = namesOf(inAddress, ({ kind }) => kind === "list");
  const optional = new Set(
    inAddress.fields.flatMap(({ field }) =>
      field.isOptional ? field.jsonName : [],
    ),
  );
  return {
    lists,
    json: namesOf(inAddress, (value) =>
      isJson(value.kind === "list" ? value.held : value),
    ),
    emptyLists: lists.filter(
      (name) => afterPath.includes(name) && !optional.has(name),
    ),
  };
}

/** How a value is written in a header. */
export type HeaderForm = "text" | "json" | "texts" | "jsons";

/** Returns how a value is written in a header. */
export function headerFormOf(value: Value): HeaderForm {
  if (value.kind === "list") return isJson(value.held) ? "jsons" : "texts";
  return isJson(value) ? "json" : "text";
}

/** Whether a value is written in JSON without quotes. */
function isJson(value: Value): boolean {
  return value.kind === "scalar" && value.form.writing === "bare";
}

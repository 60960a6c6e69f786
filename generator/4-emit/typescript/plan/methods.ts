import type { Message, Method } from "../../../ir/contract.js";
import type { MethodNames } from "../names/names.js";
import type { ValueNeeds } from "./needs.js";
import type {
  CredentialPlan,
  ExactMethod,
  FieldPlan,
  MessagePlan,
  MethodPlan,
  ObjectPlan,
  ResponseReader,
  Value,
} from "./plan.js";
import { pathFields, routePath } from "./route-path.js";
import { structIn } from "./struct-in.js";

/** The objects of the messages of a method, and what is exact about them. */
export interface MethodDraft {
  readonly method: Method;
  readonly names: MethodNames;
  readonly request: ObjectPlan;
  readonly response: ObjectPlan;
  readonly exact: ExactMethod;
}

/** What its host knows around a method. */
export interface MethodSurroundings {
  readonly needs: ValueNeeds;
  readonly credentials: readonly CredentialPlan[];
  /** Structs that several responses of the host are, or that one holds. */
  readonly shared: ReadonlySet<ObjectPlan>;
}

/** Decides what is emitted for a method. */
export function planMethod(
  draft: MethodDraft,
  { credentials, needs, shared }: MethodSurroundings,
): MethodPlan {
  const { exact, method, names } = draft;
  const request = planMessage(method.request, draft.request, needs);
  const response = planMessage(method.response, draft.response, needs);
  return {
    method,
    names,
    kind: kindOf(method, [request, response]),
    path: routePath(method),
    inPath: pathFields(draft.request.fields),
    credentials: method.credentials.flatMap((header) =>
      credentials.filter((credential) => credential.header === header),
    ),
    request,
    response,
    reader: readerOf(method, draft.response, needs, shared),
    printed: printedPart(method, draft.response.fields),
    exact,
  };
}

function planMessage(
  message: Message,
  object: ObjectPlan,
  needs: ValueNeeds,
): MessagePlan {
  const { decodes, encodes } = needs.ofFields(object.fields);
  const namesOf = (isChosen: (value: Value) => boolean): readonly string[] =>
    object.fields.flatMap(({ field, type }) =>
      isChosen(type) ? field.jsonName : [],
    );
  return {
    message,
    object,
    decodes,
    encodes,
    files: namesOf(isFile),
    fileLists: namesOf(
      (value) => value.kind === "list" && isFile(value.element),
    ),
  };
}

function isFile(value: Value): boolean {
  return value.kind === "scalar" && value.form.sample === "file";
}

function kindOf(
  { response }: Method,
  messages: readonly MessagePlan[],
): MethodPlan["kind"] {
  if (response.isStream) return "stream";
  const hasFile = messages.some(
    ({ fileLists, files }) => files.length > 0 || fileLists.length > 0,
  );
  return hasFile ? "transfer" : "call";
}

function readerOf(
  { route, response }: Method,
  object: ObjectPlan,
  needs: ValueNeeds,
  shared: ReadonlySet<ObjectPlan>,
): ResponseReader | null {
  const { guards, reads } = needs.ofFields(object.fields);
  // Nothing of the answer to a webhook is read.
  if (!guards || route.kind === "webhook") return null;
  if (!reads) return { kind: "drop-nulls" };
  const isShared = response.struct !== null && shared.has(object);
  return isShared
    ? { kind: "shared", object }
    : { kind: "inline", fields: needs.readers(object.fields) };
}

function printedPart(
  { route }: Method,
  fields: readonly FieldPlan[],
): MethodPlan["printed"] {
  if (route.kind === "rest" && route.body !== null) {
    const { body } = route;
    const field = fields.find(({ field }) => field.jsonName === body);
    return field && structIn(field.type) !== null ? field : null;
  }
  const isJson = fields.every(({ type }) => !isFile(type));
  return isJson && fields.length > 0 ? "message" : null;
}

/** Structs that several responses of a host are, or that one of them holds. */
export function sharedResponses(
  drafts: readonly MethodDraft[],
  held: Iterable<ObjectPlan>,
): ReadonlySet<ObjectPlan> {
  const answered = new Set<ObjectPlan>();
  const repeated = new Set<ObjectPlan>(held);
  for (const { response } of drafts) {
    if (answered.has(response)) repeated.add(response);
    answered.add(response);
  }
  return repeated;
}

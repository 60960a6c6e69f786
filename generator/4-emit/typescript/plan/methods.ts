import { credentialsOf } from "../../../ir/credentials-of.js";
import type { Message, Method } from "../../../ir/contract.js";
import type {
  ListsInForm,
  WireBody,
  WireResponse,
} from "../../../http/wire-method.js";
import { wireOf } from "../../../http/wire-of.js";
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
  const wire = wireOf(method);
  const request = planMessage(method.request, draft.request, unit);
  const response = planMessage(method.response, draft.response, unit);
  return {
    method,
    names,
    kind: kindOf(method, request, response),
    wire,
    path: wire.address?.path ?? "",
    credentials: credentialsOf(method, { credentials }),
    request,
    response,
    reader: readerOf(method, response, unit, shared),
    printed: printedPart(wire.response, draft.response),
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
  const { canBeEmpty, decodes, encodes, loses } = needs.ofComposite(object);
  return {
    message,
    object,
    decodes,
    encodes,
    loses,
    canBeEmpty,
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
  { members, wholes }: WireResponse,
  { fields }: ObjectPlan,
): MethodPlan["printed"] {
  const isJson = fields.every(({ type }) => !isFile(type));
  if (members.length > 0 && isJson) return "message";
  return fields.filter(
    ({ field, type }) => wholes.includes(field) && compositeIn(type) !== null,
  );
}

/** Returns the function of the runtime that makes a REST method with a body. */
export function restMaker({
  content,
}: WireBody): "rest" | (typeof formMakers)[ListsInForm] {
  return content.kind === "form" ? formMakers[content.list] : "rest";
}

const formMakers = {
  repeated: "form",
  bracketed: "bracketForm",
} as const satisfies Readonly<Record<ListsInForm, string>>;

import type {
  Annotation as AnnotationSyntax,
  Message as MessageSyntax,
  Method as MethodSyntax,
} from "../1-parse/ast.js";
import { findAnnotation, resumeOf } from "../2-check/notation/annotations.js";
import {
  listAlternatives,
  listCredentials,
} from "../2-check/program/credentials.js";
import { foldKey } from "../ir/credentials-of.js";
import { deprecationOf } from "../2-check/notation/deprecation.js";
import {
  bindingOf,
  parametersOf,
  validHeaders,
  type RestBinding,
  statusOf,
  verbOf,
} from "../2-check/notation/rest-binding.js";
import { boundFields } from "../2-check/program/rest-methods.js";
import type {
  DeclaredService,
  DeclaredType,
} from "../2-check/program/program.js";
import { lookUpIgnoringCase } from "../2-check/program/reach.js";
import type {
  Annotation,
  BodyFormat,
  Contract,
  Credential,
  Field,
  Host,
  Message,
  Method,
  RequestBody,
  Resume,
  Route,
  Service,
  SuccessStatus,
  TypeDeclaration,
  Verb,
} from "../ir/contract.js";
import { invariant } from "../ir/invariant.js";
import { isBodiless, isReadVerb } from "../ir/bodiless.js";
import { refusalErrors } from "../ir/refusal-errors.js";
import { lowerDocs } from "./docs.js";
import type { MarkFields } from "./mark-fields.js";
import {
  lowerArguments,
  type DocumentScope,
  scopeIn,
  plainField,
} from "./types.js";

/** The context for lowering the methods of a host. */
export interface ServiceSurroundings {
  readonly host: Pick<Host, "basePath" | "validationError">;
  /** The parts of the contract that methods depend on. */
  readonly contract: Pick<Contract, "credentials" | "errors">;
  /** The scopes in which names are looked up. */
  readonly program: DocumentScope["program"];
  /** Every type of the contract, by its declaration. */
  readonly types: ReadonlyMap<DeclaredType["syntax"], TypeDeclaration>;
  readonly markFields: MarkFields;
}

/** Lowers one service, with paths that begin with the base path of its host. */
export function lowerService(
  { syntax, document }: DeclaredService,
  surroundings: ServiceSurroundings,
): Service {
  const from = scopeIn(surroundings.program, document);
  const methods = syntax.methods.map((method) =>
    lowerMethod(method, syntax.name.text, from, surroundings),
  );
  const isOutbound = methods.some(({ route }) => route.kind === "webhook");
  return {
    kind: "service",
    name: syntax.name.text,
    docs: lowerDocs(syntax.docs),
    direction: isOutbound ? "outbound" : "inbound",
    methods,
  };
}

function lowerMethod(
  syntax: MethodSyntax,
  service: string,
  from: DocumentScope,
  surroundings: ServiceSurroundings,
): Method {
  const { contract, host } = surroundings;
  const name = syntax.name.text;
  const response = lowerMessage(syntax.output, from, surroundings);
  const credentials = lowerCredentials(syntax, contract.credentials);
  const request = lowerMessage(syntax.input, from, surroundings);
  const refusals = refusalErrors({ credentials, request }, contract, host);
  const errors = syntax.errors?.map((word) => word.text);
  return {
    kind: "method",
    name,
    docs: lowerDocs(syntax.docs),
    service,
    request,
    response,
    route: lowerRoute(
      syntax,
      request,
      response,
      `${host.basePath.text}${service}/${name}`,
    ),
    credentials,
    alternatives: lowerAlternatives(syntax, contract.credentials),
    errors: errors ? [...new Set([...errors, ...refusals])] : null,
    safety: lowerSafety(syntax),
    idempotencyKey: lowerKey(syntax),
    resume: lowerResume(syntax),
    isClientOnly: findAnnotation(syntax, "clientOnly") !== undefined,
    deprecated: deprecationOf(syntax),
    annotations: syntax.annotations.map(lowerAnnotation),
  };
}

function lowerMessage(
  syntax: MessageSyntax,
  from: DocumentScope,
  { markFields, types }: ServiceSurroundings,
): Message {
  const { isStream } = syntax;
  if (syntax.succinct === undefined) {
    const fields = markFields(lowerArguments(syntax.arguments, from));
    return { kind: "message", struct: null, fields, isStream };
  }
  // `=> (file)` has a single output, the file itself.
  if (syntax.succinct.text === "file") {
    const file = plainField("file", { kind: "scalar", name: "file" });
    return { kind: "message", struct: null, fields: [file], isStream };
  }
  const declared = lookUpIgnoringCase(from.scope, syntax.succinct.text);
  const body = declared && types.get(declared.syntax);
  invariant(body?.kind === "struct", "a succinct message is a struct");
  const { fields, name } = body;
  return { kind: "message", struct: name, fields, isStream };
}

function lowerRoute(
  syntax: MethodSyntax,
  request: Message,
  response: Message,
  path: string,
): Route {
  if (findAnnotation(syntax, "webhook")) return { kind: "webhook" };
  const binding = bindingOf(syntax);
  if (binding === null) return { kind: "rpc", path };
  const statusOutput =
    findAnnotation(syntax, "responseStatus")?.value?.text ?? null;
  const statuses = lowerStatuses(binding, statusOutput);
  return {
    kind: "rest",
    verb: verbOf(binding),
    path: binding.path,
    query: parametersOf(binding),
    headers: validHeaders(binding.headers),
    responseHeaders: validHeaders(binding.responseHeaders),
    requestBody: lowerRequestBody(syntax, binding, request),
    status: statusOf(binding),
    statuses,
    statusOutput,
    body: statuses.length > 0 ? null : lowerBody(syntax, binding, response),
  };
}

/**
 * Returns the bodies of statuses, unless there is one status as usual, which no
 * output contains.
 */
function lowerStatuses(
  binding: RestBinding,
  statusOutput: string | null,
): readonly SuccessStatus[] {
  const all = binding.statuses.flatMap(({ field, isExplicit, status }) =>
    status === null ? [] : { status, body: field, isExplicit },
  );
  const isUsual = all.every(
    ({ body, isExplicit, status }) =>
      body !== null || !isExplicit || isBodiless(status),
  );
  if (all.length < 2 && isUsual && statusOutput === null) return [];
  return all.map(({ body, status }) => ({ status, body }));
}

/** Returns the output that is the whole body of the only status, or null. */
function lowerBody(
  syntax: MethodSyntax,
  binding: RestBinding,
  { fields }: Message,
): string | null {
  const [first] = binding.statuses;
  const written = first?.field ?? findAnnotation(syntax, "body")?.value?.text;
  // A file is never part of an object.
  return written ?? fields.find(isFile)?.jsonName ?? null;
}

function isFile({ type }: Field): boolean {
  return type.kind === "scalar" && type.name === "file";
}

function lowerRequestBody(
  syntax: MethodSyntax,
  binding: RestBinding,
  request: Message,
): RequestBody {
  if (isReadVerb(verbOf(binding))) return { kind: "none" };
  const format = lowerFormat(syntax);
  const type = findAnnotation(syntax, "contentType")?.value?.text;
  const mediaType = type?.toLowerCase() ?? null;
  const field = findAnnotation(syntax, "requestBody")?.value?.text;
  if (field !== undefined) {
    const whole = request.fields.find(({ jsonName }) => jsonName === field);
    const isContent = whole !== undefined && isFile(whole);
    return {
      kind: "field",
      field,
      format: isContent ? "file" : format,
      mediaType,
    };
  }
  const bound = new Set(boundFields(binding));
  const fields = request.fields
    .map(({ jsonName }) => jsonName)
    .filter((name) => !bound.has(name));
  return fields.length === 0
    ? { kind: "none" }
    : { kind: "fields", fields, format, mediaType };
}

function lowerFormat(syntax: MethodSyntax): BodyFormat {
  const form = findAnnotation(syntax, "form");
  if (form === undefined) return "json";
  return form.value?.text === "brackets" ? "bracket-form" : "form";
}

/** Returns the keys of `@auth`, which names declared credentials. */
function lowerCredentials(
  syntax: MethodSyntax,
  credentials: readonly Credential[],
): readonly string[] {
  const auth = findAnnotation(syntax, "auth");
  if (auth === undefined || credentials.length === 0) return [];
  return listCredentials(auth).map((name) => declaredKey(name, credentials));
}

/** Returns the alternatives of `@auth`, or none if it has only one. */
function lowerAlternatives(
  syntax: MethodSyntax,
  credentials: readonly Credential[],
): Method["alternatives"] {
  const auth = findAnnotation(syntax, "auth");
  if (auth === undefined || credentials.length === 0) return [];
  const all = listAlternatives(auth);
  if (all.length === 1) return [];
  return all.map((names) =>
    names.map((name) => declaredKey(name, credentials)),
  );
}

/** Returns a key as the credential declares it. */
function declaredKey(name: string, credentials: readonly Credential[]): string {
  const found = credentials.find(({ key }) => foldKey(key) === foldKey(name));
  return found?.key ?? name;
}

function lowerSafety(syntax: MethodSyntax): Method["safety"] {
  if (findAnnotation(syntax, "readonly")) return "readonly";
  const binding = bindingOf(syntax);
  const implied = binding === null ? "none" : safeties[verbOf(binding)];
  if (implied !== "none") return implied;
  return findAnnotation(syntax, "idempotent") ? "idempotent" : "none";
}

function lowerKey(syntax: MethodSyntax): Method["idempotencyKey"] {
  const annotation = findAnnotation(syntax, "idempotencyKey");
  if (annotation === undefined) return "none";
  return annotation.value?.text === "optional" ? "optional" : "required";
}

function lowerResume(syntax: MethodSyntax): Resume | null {
  const annotation = findAnnotation(syntax, "resume");
  return annotation === undefined ? null : resumeOf(annotation);
}

/** What a verb says about a method (RFC 9110, section 9.2). */
const safeties: Readonly<Record<Verb, Method["safety"]>> = {
  GET: "readonly",
  POST: "none",
  PUT: "idempotent",
  PATCH: "none",
  DELETE: "idempotent",
  HEAD: "readonly",
};

function lowerAnnotation({ name, value }: AnnotationSyntax): Annotation {
  return { name: name.text, value: value?.text ?? null };
}

import type {
  Annotation as AnnotationSyntax,
  Message as MessageSyntax,
  Method as MethodSyntax,
} from "../1-parse/ast.js";
import {
  findAnnotation,
  listCredentials,
} from "../2-check/notation/annotations.js";
import { deprecationOf } from "../2-check/notation/deprecation.js";
import { parsePathTemplate } from "../2-check/notation/path-template.js";
import type {
  DeclaredService,
  DeclaredType,
} from "../2-check/program/program.js";
import { lookUpIgnoringCase } from "../2-check/program/reach.js";
import type {
  Annotation,
  Contract,
  Credential,
  Host,
  Message,
  Method,
  Route,
  Service,
  TypeDeclaration,
} from "../ir/contract.js";
import { invariant } from "../ir/invariant.js";
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
    response: lowerMessage(syntax.output, from, surroundings),
    route: lowerRoute(syntax, `${host.basePath.text}${service}/${name}`),
    credentials,
    errors: errors ? [...new Set([...errors, ...refusals])] : null,
    safety: lowerSafety(syntax),
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

function lowerRoute(syntax: MethodSyntax, path: string): Route {
  if (findAnnotation(syntax, "webhook")) return { kind: "webhook" };
  const read = findAnnotation(syntax, "get")?.value?.text;
  if (read === undefined) return { kind: "rpc", path };
  return {
    kind: "rest",
    path: parsePathTemplate(read),
    body: findAnnotation(syntax, "body")?.value?.text ?? null,
  };
}

/** Returns the headers of `@auth`, which names declared credentials. */
function lowerCredentials(
  syntax: MethodSyntax,
  credentials: readonly Credential[],
): readonly string[] {
  const auth = findAnnotation(syntax, "auth");
  if (auth === undefined || credentials.length === 0) return [];
  return listCredentials(auth).map(
    (name) =>
      credentials.find(
        ({ header }) => header.toLowerCase() === name.toLowerCase(),
      )?.header ?? name,
  );
}

function lowerSafety(syntax: MethodSyntax): Method["safety"] {
  // A REST read has no side effects, even without `@readonly`.
  if (findAnnotation(syntax, "readonly")) return "readonly";
  if (findAnnotation(syntax, "get")?.value) return "readonly";
  return findAnnotation(syntax, "idempotent") ? "idempotent" : "none";
}

function lowerAnnotation({ name, value }: AnnotationSyntax): Annotation {
  return { name: name.text, value: value?.text ?? null };
}

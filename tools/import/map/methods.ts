import { isBodiless } from "../../../generator/ir/bodiless.js";
import { noteKeywords } from "../notes/note-keywords.js";
import type { DocumentPart } from "../read/document-part.js";
import { mapAddress } from "./addresses.js";
import { joinComments, toComment } from "../model/comments.js";
import type { CredentialMapper } from "./credentials.js";
import type { ErrorMapper } from "./errors.js";
import type { ModelField, ModelMessage, ModelMethod } from "../model/model.js";
import { NameScope, nameOfValue } from "../model/names.js";
import { hasKey, printKey } from "./idempotency-keys.js";
import { namePages } from "./page-names.js";
import { findParameters } from "./operation-parameters.js";
import type { MappedParameter } from "./parameters.js";
import { isFormType, mapRequestBody, type MappedBody } from "./requests.js";
import {
  mapResponse,
  type MappedHeader,
  type MappedResponse,
} from "./responses.js";
import type { Server } from "./server.js";
import type { Types } from "./types/types.js";

/** What all methods of a document share. */
export interface MethodContext {
  readonly types: Types & {
    declareStruct(
      part: DocumentPart,
      hint: string,
      fields: readonly ModelField[],
    ): string;
  };
  readonly errors: ErrorMapper;
  readonly credentials: CredentialMapper;
  readonly server: Server;
  /** The requirements of operations that have none of their own. */
  readonly security: DocumentPart | null;
}

/** An operation of a document. */
export interface FoundOperation {
  readonly part: DocumentPart;
  readonly path: DocumentPart;
  readonly verb: string;
}

/** An operation to map, with the name of its method. */
export interface NamedOperation extends FoundOperation {
  readonly name: string;
  /** The begin of the names of its types. */
  readonly hint: string;
}

/** More arguments than these are a struct. */
const maxArguments = 4;

/** Maps an operation to a method. */
export function mapMethod(
  operation: NamedOperation,
  context: MethodContext,
): ModelMethod {
  const { part, path, verb, name, hint } = operation;
  const { types, errors, credentials, security } = context;
  noteKeywords(part, "operation", types.notes);
  const names = new NameScope();
  const written = part.get("requestBody");
  const asked = findParameters(operation, names, types, credentials);
  const body = mapRequestBody(
    written,
    verb,
    hint + bodySuffix(written, types),
    types,
  );
  const answer = mapResponse(operation, `${hint}Response`, types);
  const found = { parameters: asked, response: answer };
  const { parameters, response } = namePages(found, names, types);
  const failed = errors.map(part, hint);
  const messages = new MessageWriter(operation, names, types);
  const { input, bodyField } = messages.input(parameters, body, response);
  const { output, bodyOutput, outputHeaders, statuses, statusOutput } =
    messages.output(response, input);
  const address = mapAddress(
    path,
    context.server.prefix,
    parameters,
    types.notes,
  );
  if (address === null) noteStatuses(part, statuses, types);
  const isKeyed = address !== null && hasKey(body, response);
  const key = printKey(operation, isKeyed, types);
  const auth = part.get("security") ?? security;
  const annotations = [
    ...credentials.map(auth, key.length > 0),
    ...(address === null
      ? key
      : [
          printAddress(verb, address, statuses),
          ...key,
          ...printBody(body, bodyField),
          ...printHeaders(
            "requestHeaders",
            parameters.filter(({ place }) => place === "header"),
          ),
          ...(bodyOutput === null ? [] : [`@body:${bodyOutput}`]),
          ...(statusOutput === null ? [] : [`@responseStatus:${statusOutput}`]),
          ...printHeaders("responseHeaders", outputHeaders),
        ]),
    ...(verb === "head" ? ["@clientOnly"] : []),
    ...(part.get("deprecated")?.isTrue === true ? ["@deprecated"] : []),
  ];
  return {
    name,
    docs: joinComments(
      toComment(part.textOf("summary")),
      sameText(part) ? [] : toComment(part.textOf("description")),
      failed.flatMap((error) => error.docs),
    ),
    annotations,
    input,
    output,
    isStream: response.body.kind === "json" && response.body.isStream,
    errors: [...new Set(failed.map((error) => error.name))],
    part,
  };
}

/** Returns how the name of an inline body ends. */
function bodySuffix(written: DocumentPart | null, { library }: Types): string {
  const body = written && library.resolve(written);
  const isRequired = body?.get("required")?.isTrue === true;
  const [media] = body?.get("content")?.entries() ?? [];
  return isRequired || isFormType(media?.key ?? "") ? "Request" : "Body";
}

/** Notes the statuses of a method without an address. */
function noteStatuses(
  part: DocumentPart,
  statuses: string,
  { notes }: Types,
): void {
  if (/^200(?:=empty)?$/u.test(statuses)) return;
  const numbers = statuses.replace(/=\S+/gu, "").replaceAll(" ", ", ");
  const message = `the status of a success is ${numbers}`;
  notes.add("wire", part.get("responses") ?? part, message, "it is 200");
}

function sameText(part: DocumentPart): boolean {
  const plain = (text: string | null): string =>
    (text ?? "").trim().replace(/\.$/u, "");
  return plain(part.textOf("summary")) === plain(part.textOf("description"));
}

function printAddress(
  verb: string,
  { path, query }: { readonly path: string; readonly query: string },
  statuses: string,
): string {
  const target = query === "" ? path : `${path}?${query}`;
  if (verb === "get" && statuses === "200") return `@get:"${target}"`;
  const end = statuses === "200" ? "" : ` ${statuses}`;
  return `@http:"${verb.toUpperCase()} ${target}${end}"`;
}

function printBody(body: MappedBody, field: string | null): readonly string[] {
  const { form, mediaType } =
    body.kind === "json" ? body : { form: null, mediaType: null };
  return [
    ...(form === null ? [] : [form]),
    ...(mediaType === null ? [] : [`@contentType:"${mediaType}"`]),
    ...(field === null ? [] : [`@requestBody:${field}`]),
  ];
}

function printHeaders(
  annotation: string,
  headers: readonly MappedHeader[],
): readonly string[] {
  const texts = headers.map(({ field, name }) =>
    name === field.name ? name : `${name}={${field.name}}`,
  );
  return texts.length === 0 ? [] : [`@${annotation}:"${texts.join(", ")}"`];
}

/** The output of a method, and its field that is the whole body. */
interface MappedOutput {
  readonly output: ModelMessage;
  readonly bodyOutput: string | null;
  readonly outputHeaders: readonly MappedHeader[];
  /** As written in `@http`. */
  readonly statuses: string;
  /** The output with the status, or null. */
  readonly statusOutput: string | null;
}

type BodyOutput = Pick<MappedOutput, "output" | "bodyOutput">;

type JsonBody = Extract<MappedResponse["body"], { kind: "json" }>;

function bodyFieldOf(
  { type, metadata, part }: JsonBody,
  names: NameScope,
  { hint }: NamedOperation,
): ModelField {
  const isUnnamed = type === `[]${hint}ResponseItem`;
  const name = names.take(isUnnamed ? "items" : nameOfValue(type, "result"));
  const rest = { type, metadata, part, docs: [], isOptional: false };
  return { name, wire: name, ...rest };
}

/** Chooses between structs and arguments for a method's messages. */
class MessageWriter {
  readonly #operation: NamedOperation;
  readonly #names: NameScope;
  readonly #types: MethodContext["types"];

  constructor(
    operation: NamedOperation,
    names: NameScope,
    types: MethodContext["types"],
  ) {
    this.#operation = operation;
    this.#names = names;
    this.#types = types;
  }

  input(
    parameters: readonly MappedParameter[],
    body: MappedBody,
    response: MappedResponse,
  ): { readonly input: ModelMessage; readonly bodyField: string | null } {
    const fields = parameters.map(({ field }) => field);
    switch (body.kind) {
      case "none":
        return { input: this.#message(fields, response), bodyField: null };
      case "json":
        return this.#jsonInput(fields, body, response);
    }
  }

  #jsonInput(
    fields: readonly ModelField[],
    body: Extract<MappedBody, { kind: "json" }>,
    response: MappedResponse,
  ): { readonly input: ModelMessage; readonly bodyField: string | null } {
    // Only a request contains files, and not a struct in it.
    if (body.hasFiles || this.#isWhole(body, fields)) {
      return { input: this.#extend(body.type, fields), bodyField: null };
    }
    const name = this.#names.take(nameOfValue(body.type, "body"));
    const { type, metadata, isOptional, docs, part } = body;
    const field = { name, wire: name, type, metadata, isOptional, docs, part };
    const input = this.#message([...fields, field], response);
    return { input, bodyField: name };
  }

  /** Whether the fields of a struct are the fields of the request. */
  #isWhole(
    {
      form,
      isOptional,
      metadata,
      part,
      type,
    }: Extract<MappedBody, { kind: "json" }>,
    fields: readonly ModelField[],
  ): boolean {
    const struct = this.#types.structOf(type);
    return (
      struct !== null &&
      // An absent form equals one without pairs.
      (!isOptional || form !== null) &&
      metadata.length === 0 &&
      (struct.part.id === part.id || fields.length === 0) &&
      struct.body.fields.every(
        (field) =>
          field.metadata.every(
            ({ key }) => key !== "extra" && key !== "oneOf",
          ) && ![field.name, field.wire].some((name) => this.#names.has(name)),
      )
    );
  }

  /** Adds the fields of the path and the query to the struct of a body. */
  #extend(name: string, fields: readonly ModelField[]): ModelMessage {
    const struct = this.#types.structOf(name);
    if (struct === null || fields.length === 0) return { kind: "struct", name };
    const all = [...fields, ...struct.body.fields];
    if (!this.#isShared(struct.part)) {
      struct.body.fields = all;
      return { kind: "struct", name };
    }
    const { part, hint } = this.#operation;
    const own = this.#types.declareStruct(part, `${hint}Request`, all);
    return { kind: "struct", name: own };
  }

  /** Whether other operations can use a schema. */
  #isShared({ id }: DocumentPart): boolean {
    return !id.startsWith(this.#operation.part.id);
  }

  /** Fields with limits or comments need a struct. */
  #message(
    fields: readonly ModelField[],
    { body, headers }: MappedResponse,
  ): ModelMessage {
    const { part, hint } = this.#operation;
    const isPlain = fields.every(
      ({ metadata, docs }) => metadata.length === 0 && docs.length === 0,
    );
    const isInline =
      body.kind === "json" &&
      this.#types.structOf(body.type)?.part.id === body.part.id;
    if (
      fields.length > 0 &&
      (!isPlain ||
        isInline ||
        headers.length > 0 ||
        fields.length > maxArguments)
    ) {
      const struct = this.#types.declareStruct(part, `${hint}Request`, fields);
      return { kind: "struct", name: struct };
    }
    return { kind: "arguments", list: fields };
  }

  output(response: MappedResponse, input: ModelMessage): MappedOutput {
    const { body, headers, status, statuses } = response;
    if (statuses.length > 1) return this.#outputByStatus(response, input);
    const end = statuses.length === 1 ? "=empty" : "";
    const usual = { statuses: `${status}${end}`, statusOutput: null };
    return headers.length === 0
      ? { ...this.#bodyOutput(body, input), outputHeaders: [], ...usual }
      : { ...this.#outputWithHeaders(body, headers), ...usual };
  }

  /** Each body is an output, and so is the status if they do not tell it. */
  #outputByStatus(
    { headers, statuses }: MappedResponse,
    input: ModelMessage,
  ): MappedOutput {
    const names = new NameScope();
    const bodies = new Set(statuses.map(({ body }) => body));
    const empty = statuses.filter(({ body }) => body.kind === "none");
    const json = [...bodies].flatMap((body) =>
      body.kind === "json" ? [body] : [],
    );
    const isAlways = json.length === 1 && empty.length === 0;
    const fields = new Map<object, ModelField>(
      json.map((body) => {
        const field = bodyFieldOf(body, names, this.#operation);
        return [body, isAlways ? field : this.#withoutNull(field)];
      }),
    );
    const isTold = json.length + Math.min(empty.length, 1) === statuses.length;
    const { hint, part } = this.#operation;
    const rest = { metadata: [], docs: [], isOptional: false, part };
    const statusOutput = isTold ? null : names.take("status");
    const status =
      statusOutput === null
        ? []
        : [{ ...rest, name: statusOutput, wire: statusOutput, type: "uint16" }];
    const outputHeaders = headers.map(({ field, name }) => ({
      name,
      field: { ...field, name: names.take(field.name) },
    }));
    const all = [
      ...status,
      ...fields.values(),
      ...outputHeaders.map(({ field }) => field),
    ];
    const isPlain = all.every(
      ({ docs, metadata }) => docs.length === 0 && metadata.length === 0,
    );
    const isStruct = input.kind === "struct" || !isPlain;
    const output: ModelMessage =
      isStruct && all.length > 0
        ? {
            kind: "struct",
            name: this.#types.declareStruct(part, `${hint}Result`, all),
          }
        : { kind: "arguments", list: all };
    const written = statuses.map(({ body, status }) => {
      const field = fields.get(body);
      if (field !== undefined) return `${status}={${field.name}}`;
      return isBodiless(status) ? `${status}` : `${status}=empty`;
    });
    return {
      output,
      bodyOutput: null,
      outputHeaders,
      statuses: written.join(" "),
      statusOutput,
    };
  }

  /** An output is absent if it is null, unless it is in every response. */
  #withoutNull(field: ModelField): ModelField {
    const metadata = field.metadata.filter(({ key }) => key !== "nullable");
    if (metadata.length < field.metadata.length) {
      const message = "the body of one of several statuses cannot be null";
      const { notes } = this.#types;
      notes.add("value", field.part, message, "null is not accepted");
    }
    return { ...field, isOptional: true, metadata };
  }

  /** Headers have docs and limits, so their struct is the output. */
  #outputWithHeaders(
    body: MappedResponse["body"],
    headers: readonly MappedHeader[],
  ): Pick<MappedOutput, "output" | "bodyOutput" | "outputHeaders"> {
    const names = new NameScope();
    const inBody =
      body.kind === "json" ? [bodyFieldOf(body, names, this.#operation)] : [];
    const outputHeaders = headers.map(({ field, name }) => ({
      name,
      field: { ...field, name: names.take(field.name) },
    }));
    const { hint, part } = this.#operation;
    const struct = this.#types.declareStruct(part, `${hint}Result`, [
      ...inBody,
      ...outputHeaders.map(({ field }) => field),
    ]);
    const output = { kind: "struct", name: struct } as const;
    return { output, bodyOutput: inBody[0]?.name ?? null, outputHeaders };
  }

  #bodyOutput(body: MappedResponse["body"], input: ModelMessage): BodyOutput {
    switch (body.kind) {
      case "none":
        return { output: { kind: "arguments", list: [] }, bodyOutput: null };
      case "file":
        return { output: { kind: "struct", name: "file" }, bodyOutput: null };
      case "json":
        return this.#jsonOutput(body, input);
    }
  }

  #jsonOutput(body: JsonBody, input: ModelMessage): BodyOutput {
    const { type, metadata, part } = body;
    const isSuccinct = input.kind === "struct" || input.list.length === 0;
    const isStruct =
      this.#types.structOf(type) !== null && metadata.length === 0;
    if (isStruct && isSuccinct) {
      return { output: { kind: "struct", name: type }, bodyOutput: null };
    }
    const field = bodyFieldOf(body, new NameScope(), this.#operation);
    const { name } = field;
    if (input.kind === "struct") {
      const hint = `${this.#operation.hint}Response`;
      const struct = this.#types.declareStruct(part, hint, [field]);
      return { output: { kind: "struct", name: struct }, bodyOutput: name };
    }
    const plain =
      metadata.length === 0
        ? type
        : this.#types.declareAlias(part, `${this.#operation.hint}Result`, {
            type,
            metadata,
          });
    const list = [{ name, type: plain, isOptional: false }];
    return { output: { kind: "arguments", list }, bodyOutput: name };
  }
}

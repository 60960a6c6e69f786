import { type PathTemplate, pathParameters } from "../../ir/path-template.js";
import type {
  Contract,
  Host,
  Method,
  Service,
  Field,
  TypeReference,
} from "../../ir/contract.js";
import { Sampler } from "../../values/sampler.js";
import { type ContractValues, valuesOf } from "../../values/value.js";
import { isFileField, keyPattern } from "../../http/request.js";
import type { ListsInForm, Success } from "../../http/wire-method.js";
import { namesEvents, wireOf } from "../../http/wire-of.js";
import type { EmitOptions } from "../emitter/emitter.js";
import type { OpenapiOptions } from "./openapi-options.js";
import type { JsonObject } from "../emitter/json-value.js";
import { describe, firstSentence } from "../json-schema/describe.js";
import type { DocumentSchemas } from "../json-schema/document-schemas.js";
import type { MessageSide } from "../json-schema/schema-names.js";
import { pascalCase } from "../names/casing.js";
import type { NamePool } from "../names/name-pool.js";
import type { Failures } from "./failures.js";
import { fieldParameters, responseHeaders } from "./field-parameters.js";
import {
  httpAddressOf,
  type DescribedOperation,
  type OperationParameter,
  type Paths,
} from "./paths.js";
import { securityOf } from "./security.js";

/** The context for describing an operation. */
interface OperationScope {
  readonly contract: Contract;
  readonly options: EmitOptions;
  readonly openapi: OpenapiOptions;
  readonly schemas: DocumentSchemas;
  readonly failures: Failures;
  /** IDs of operations. */
  readonly ids: NamePool;
  /** Collects the methods that clients call. */
  readonly paths: Paths;
  /** Collects the webhooks that the hosts send, by name. */
  readonly webhooks: Map<string, JsonObject>;
}

/**
 * Describes the methods of a host, with `servers` if hosts have different ones.
 */
export function describeOperations(
  scope: OperationScope,
  host: Host,
  servers?: readonly JsonObject[],
): void {
  for (const service of host.services) {
    for (const method of service.methods) {
      const parameters = [
        ...parametersOf(scope, host, service, method),
        ...keyParameters(method),
      ];
      const operation = describeOperation(scope, host, method, parameters);
      const route = httpAddressOf(method);
      if (route === null) {
        scope.webhooks.set(operation.operationId, { post: operation });
      } else {
        scope.paths.add(route, { ...operation, servers });
      }
    }
  }
}

function parametersOf(
  scope: OperationScope,
  host: Host,
  service: Service,
  method: Method,
): readonly OperationParameter[] {
  const { route } = method;
  switch (route.kind) {
    case "rpc":
      return baseParameters(scope, host.basePath);
    case "rest":
      return fieldParameters(scope, method);
    case "webhook":
      return eventParameters(service, method);
  }
}

function describeOperation(
  scope: OperationScope,
  host: Host,
  method: Method,
  parameters: readonly OperationParameter[],
): DescribedOperation {
  const { deprecated, docs, name, service } = method;
  return {
    // The ID does not change if another service adds a method of this name.
    operationId: scope.ids.claim(`${pascalCase(service)}_${name}`),
    tags: [service],
    // Linters require a summary of every operation.
    summary: firstSentence(docs) || name,
    ...describe(docs, deprecated, repetitionOf(method)),
    security: securityOf(scope.contract, method),
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: requestBody(scope, method),
    responses: {
      ...Object.fromEntries(
        wireOf(method).response.successes.map((success) => [
          success.status,
          successOf(scope, host, method, success),
        ]),
      ),
      ...scope.failures.responses(host, method, isJson(scope.schemas, method)),
    },
  };
}

/** Describes how a call can be repeated. */
function repetitionOf(method: Method): string {
  const sentences = [safetyOf(method), resumeOf(method)];
  return sentences.filter((each) => each !== "").join(" ");
}

/**
 * Describes whether a call is safe to retry, if its HTTP method does not show
 * it.
 */
function safetyOf(method: Method): string {
  const { idempotencyKey, safety } = method;
  if (safety === "none" && idempotencyKey !== "none") {
    return "This call can be retried with the same `Idempotency-Key`.";
  }
  const { verb = "POST" } = wireOf(method).address ?? {};
  if (verb !== "POST" && verb !== "PATCH") return "";
  switch (safety) {
    case "readonly":
      return "This call only reads, so it is safe to retry.";
    case "idempotent":
      return "This call is idempotent, so it is safe to retry.";
    case "none":
      return "";
  }
}

/** Describes how clients resume a lost stream, if they can. */
function resumeOf({ resume }: Method): string {
  return resume === null
    ? ""
    : `If the stream is lost, call again with the \`${resume.cursor.join(".")}\` of the last item as \`${resume.argument}\`.`;
}

function eventParameters(
  service: Service,
  { name }: Method,
): readonly OperationParameter[] {
  if (!namesEvents(service)) return [];
  return [
    {
      name: "webhook-event",
      in: "header",
      description: "Name of the called method.",
      required: true,
      schema: { type: "string", const: name },
    },
  ];
}

/** Describes the header that identifies a call. */
function keyParameters({
  idempotencyKey,
}: Method): readonly OperationParameter[] {
  if (idempotencyKey === "none") return [];
  return [
    {
      name: "Idempotency-Key",
      in: "header",
      description:
        "Identifies the call: 1 to 255 ASCII characters in quotes. A repeated call with the same key gets the answer of the first, 409 while that is running, or 422 if the requests differ.",
      required: idempotencyKey === "required",
      schema: { type: "string", pattern: keyPattern },
      example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
    },
  ];
}

function baseParameters(
  { openapi: { parameters = {} } }: OperationScope,
  template: PathTemplate,
): readonly OperationParameter[] {
  return pathParameters(template).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    ...(Object.hasOwn(parameters, name) && { example: parameters[name] }),
  }));
}

const binary = { type: "string", format: "binary" };

/** Describes the body of a request, or returns undefined if it has none. */
function requestBody(
  scope: OperationScope,
  method: Method,
): JsonObject | undefined {
  const { schemas } = scope;
  const { body } = wireOf(method).request;
  const { content, mediaType, whole } = body;
  const isOptional = method.route.kind === "rest" && body.isOptional;
  if (content.kind === "file") {
    const schema = whole === null ? binary : describeFile(whole);
    return { required: !isOptional, content: { [mediaType]: { schema } } };
  }
  if (body.hasParts) {
    const { fields } = body;
    const form =
      content.kind === "json"
        ? describeForm(schemas, method, fields.filter(isFileField))
        : { ...describeParts(schemas, fields), ...encodingOf(scope, method) };
    return { required: !isOptional, content: { "multipart/form-data": form } };
  }
  const schema = schemas.requestBody(method);
  if (schema === null) return undefined;
  const described = {
    schema,
    ...encodingOf(scope, method),
    ...exampleOf(scope, method, "request"),
  };
  return { required: !isOptional, content: { [mediaType]: described } };
}

/**
 * Describes how a form contains fields that are not written as a name for each
 * value, which is the default of OpenAPI.
 */
function encodingOf({ contract }: OperationScope, method: Method): JsonObject {
  const { content, whole, ...body } = wireOf(method).request.body;
  if (content.kind !== "form") return {};
  const { list } = content;
  const values = valuesOf(contract);
  const type = whole && values.valueOf(whole);
  const fields =
    type?.kind === "struct" ? type.declaration.fields : body.fields;
  const nested = fields.filter(
    (field) => !field.isExtra && !isFlat(values, field, list),
  );
  const bracketed = { style: "deepObject", explode: true };
  const encoding = nested.map(({ jsonName }) => [jsonName, bracketed]);
  return nested.length === 0 ? {} : { encoding: Object.fromEntries(encoding) };
}

/** Whether the names of a field in a form have no brackets. */
function isFlat(
  values: ContractValues,
  subject: Field | TypeReference,
  list: ListsInForm,
): boolean {
  const value = values.valueOf(subject);
  switch (value.kind) {
    case "scalar":
    case "bytes":
    case "enum":
      return true;
    case "list":
      return list === "repeated" && isFlatItem(values, value.element);
    case "map":
    case "struct":
      return false;
    case "union":
      return value.declaration.variants.every((each) =>
        isFlat(values, each, list),
      );
  }
}

function isFlatItem(values: ContractValues, item: TypeReference): boolean {
  // A list in a list has an index.
  return (
    values.valueOf(item).kind !== "list" && isFlat(values, item, "repeated")
  );
}

/** Describes the JSON of a response: the whole message, or one output. */
function describeJson(
  scope: OperationScope,
  method: Method,
  body: "message" | Field,
): JsonObject {
  return {
    schema:
      body === "message"
        ? scope.schemas.message(method, "response")
        : scope.schemas.output(body),
    ...exampleOf(scope, method, "response", body === "message" ? null : body),
  };
}

/**
 * Returns an example of a body: a request with its required fields, or a
 * response with all fields.
 */
function exampleOf(
  { contract, options }: OperationScope,
  method: Method,
  side: MessageSide,
  output: Field | null = null,
): JsonObject {
  const sampler = new Sampler(contract, options, () => side === "response");
  const { request, response } = wireOf(method);
  const whole =
    side === "request" ? request.body.whole : (output ?? response.whole);
  const fields = side === "request" ? request.body.fields : response.members;
  const shown = whole === null ? fields : [{ ...whole, isOptional: false }];
  const { isValid, json } = sampler.message(shown);
  if (!isValid || Object.keys(json).length === 0) return {};
  return { example: whole === null ? json : json[whole.jsonName] };
}

/** Describes a form: the JSON of the other fields, then the files. */
function describeForm(
  schemas: DocumentSchemas,
  method: Method,
  files: readonly Field[],
): JsonObject {
  const hasJson = files.length < method.request.fields.length;
  const required = files.filter(
    ({ isNullable, isOptional }) => !isNullable && !isOptional,
  );
  const parts = files.map((field) => [field.jsonName, describeFile(field)]);
  return {
    schema: {
      type: "object",
      properties: {
        ...(hasJson && { json: schemas.message(method, "request") }),
        ...Object.fromEntries(parts),
      },
      required: [
        ...(hasJson ? ["json"] : []),
        ...required.map(({ jsonName }) => jsonName),
      ],
    },
    ...(hasJson && { encoding: { json: { contentType: "application/json" } } }),
  };
}

function describeFile({ deprecated, docs, type }: Field): JsonObject {
  const schema =
    type.kind === "list" ? { type: "array", items: binary } : binary;
  return { ...describe(docs, deprecated), ...schema };
}

/** Describes a form with a part for each field. */
function describeParts(
  schemas: DocumentSchemas,
  fields: readonly Field[],
): JsonObject {
  const files = schemas
    .files({ fields })
    .map((field) => [field, describeFile(field)] as const);
  return { schema: schemas.form(fields, files) };
}

/** Whether a response is a single JSON value, not a stream or a file. */
function isJson(schemas: DocumentSchemas, { response }: Method): boolean {
  return !response.isStream && schemas.files(response).length === 0;
}

/**
 * Describes a stream. Before OpenAPI 3.2, no keyword described its items, so the
 * schema of the body does.
 *
 * Input: the schema of what an item contains, and that of an item.
 */
function itemsOf(
  { openapi }: OperationScope,
  schema: JsonObject,
  itemSchema: JsonObject,
): JsonObject {
  return openapi.version === "3.2" ? { itemSchema } : { schema };
}

/** Describes a stream of server-sent events. */
function eventsOf(
  scope: OperationScope,
  method: Method,
  body: Success["body"],
): JsonObject {
  const { schemas } = scope;
  const schema =
    body === "none" || body === "message"
      ? schemas.message(method, "response")
      : schemas.output(body);
  const data: JsonObject = {
    type: "string",
    contentMediaType: "application/json",
    contentSchema: schema,
  };
  const properties = { data, event: { type: "string" } };
  const event = { type: "object", properties, required: ["data"] };
  return {
    description:
      "A stream of server-sent events. The schema describes the JSON in the `data` of each event. The data of an event named `error`, which ends the stream, is the body of an error response. Comments keep the connection alive.",
    content: { "text/event-stream": itemsOf(scope, schema, event) },
  };
}

/** Describes the response of a method that succeeds. */
function successOf(
  scope: OperationScope,
  host: Host,
  method: Method,
  { body }: Success,
): JsonObject {
  const { failures, schemas } = scope;
  const { response } = method;
  if (schemas.files(response).length > 0) {
    return {
      description: "The file, sent with its own media type.",
      headers: {
        "Content-Disposition": {
          description: "`attachment`, with the name of the file.",
          schema: { type: "string" },
        },
      },
      content: { "application/octet-stream": { schema: binary } },
    };
  }
  if (!response.isStream) {
    const headers = responseHeaders(scope, method);
    if (body === "none") return { description: "Success.", headers };
    const content = describeJson(scope, method, body);
    return {
      description: "Success.",
      headers,
      content: { "application/json": content },
    };
  }
  if (method.route.kind === "rest") return eventsOf(scope, method, body);
  const item = schemas.message(method, "response");
  const line = { anyOf: [item, failures.streamEnd(host, method)] };
  return {
    description:
      "A stream of JSON objects, one per line. Empty lines keep the connection alive.",
    content: { "application/x-ndjson": itemsOf(scope, line, line) },
  };
}

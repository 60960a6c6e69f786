import type { Field, Method } from "../../ir/contract.js";
import type { JsonObject } from "../emitter/json-value.js";
import { describe } from "../json-schema/describe.js";
import type { SchemaWriter } from "../json-schema/schema-writer.js";
import type { Failures } from "./failures.js";

/** The context for describing a body. */
interface OperationScope {
  readonly schemas: SchemaWriter;
  readonly failures: Failures;
}

const binary = { type: "string", format: "binary" };

/**
 * Describes the body of a request, or returns undefined if the request has no
 * fields.
 */
export function requestBody(
  { schemas }: OperationScope,
  method: Method,
): JsonObject | undefined {
  const { fields } = method.request;
  if (fields.length === 0) return undefined;
  const files = schemas.files(method.request);
  const content =
    files.length === 0
      ? { "application/json": { schema: schemas.message(method, "request") } }
      : { "multipart/form-data": describeForm(schemas, method, files) };
  return { required: true, content };
}

/** Describes a form: the JSON of the other fields, then the files. */
function describeForm(
  schemas: SchemaWriter,
  method: Method,
  files: readonly Field[],
): JsonObject {
  const hasJson = files.length < method.request.fields.length;
  const required = files.filter(
    ({ isNullable, isOptional }) => !isNullable && !isOptional,
  );
  const parts = files.map((field) => {
    const schema =
      field.type.kind === "list" ? { type: "array", items: binary } : binary;
    return [
      field.jsonName,
      { ...describe(field.docs, field.deprecated), ...schema },
    ];
  });
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

/** Whether a response is a single JSON value, not a stream or a file. */
export function isJson(schemas: SchemaWriter, { response }: Method): boolean {
  return !response.isStream && schemas.files(response).length === 0;
}

/** Describes the response of a method that succeeds. */
export function successOf(scope: OperationScope, method: Method): JsonObject {
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
  const schema = schemas.message(method, "response");
  if (!response.isStream) {
    return {
      description: "Success.",
      content: { "application/json": { schema } },
    };
  }
  return {
    description:
      "A stream of JSON objects, one per line. Empty lines keep the connection alive.",
    content: {
      "application/x-ndjson": {
        schema: { anyOf: [schema, failures.streamEnd()] },
      },
    },
  };
}

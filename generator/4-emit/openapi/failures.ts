import type {
  Contract,
  ErrorBody,
  ErrorDeclaration,
  Field,
  Host,
  Method,
} from "../../ir/contract.js";
import { errorsOf } from "../../ir/errors-of.js";
import { groupBy } from "../../ir/group-by.js";
import { errorHeaders as headersAmong } from "../../http/wire-of.js";
import { fillExample } from "../../values/error-example.js";
import { Sampler } from "../../values/sampler.js";
import type { EmitOptions } from "../emitter/emitter.js";
import {
  isList,
  type JsonObject,
  type JsonValue,
  printJson,
} from "../emitter/json-value.js";
import { quoteCode, textOf } from "../json-schema/describe.js";
import {
  componentName,
  type SchemaNames,
} from "../json-schema/schema-names.js";
import type { DocumentSchemas } from "../json-schema/document-schemas.js";
import { errorHeaders } from "./field-parameters.js";

/** An example of an error and the name of the error. */
interface ErrorExample {
  readonly error: string;
  readonly value: JsonValue;
}

/**
 * The failures of a document: an envelope for all of them, an example for each
 * declared error that a method can return, and a response for each set of
 * errors that share a status.
 */
export class Failures {
  readonly #contract: Contract;
  readonly #errors: readonly ErrorDeclaration[];
  readonly #documentSchemas: DocumentSchemas;
  readonly #sampler: Sampler;
  readonly #names: SchemaNames;
  readonly #envelope: string;
  readonly #streamEnd: string;
  /** Names of the responses for other failures, by the body of their host. */
  readonly #others = new Map<ErrorBody | null, string>();
  /** Examples of the errors that some method can return. */
  readonly #examples = new Map<string, ErrorExample>();
  /** Names of responses by the names of their errors. */
  readonly #named = new Map<string, string>();
  readonly #responses = new Map<string, JsonObject>();
  /** Names of the schemas of errors that carry data, by error. */
  readonly #withData = new Map<string, string>();
  /** Schemas of last lines of streams, by name. */
  readonly #streamEnds = new Map<string, JsonObject>();
  /** Names of these schemas by the names of the errors that carry data. */
  readonly #namedEnds = new Map<string, string>();

  constructor(
    contract: Contract,
    hosts: readonly Host[],
    schemas: DocumentSchemas,
    options: EmitOptions,
  ) {
    const { names } = schemas;
    this.#contract = contract;
    this.#errors = contract.errors;
    this.#sampler = new Sampler(contract, options, () => true);
    this.#documentSchemas = schemas;
    this.#names = names;
    this.#envelope = names.claim("WebrpcError");
    this.#streamEnd = names.claim("WebrpcStreamError");
    // Some generators put responses and schemas into one scope.
    const bodies = new Set(hosts.map(({ errorBody }) => errorBody));
    for (const body of bodies)
      this.#others.set(body, names.claim("Error", "OtherError"));
  }

  /** Returns the error responses of a method by status. */
  responses(host: Host, method: Method, isJson: boolean): JsonObject {
    const own = this.#errorsOf(host, method);
    const found = [
      ...groupBy(own, ({ anyStatus, status }) =>
        anyStatus && isJson ? "default" : status,
      ),
    ].map(([status, list]) => {
      const isAny = status === "default";
      return [status, this.#respond(list, host.errorBody, isAny)] as const;
    });
    const others = responseRef(this.#others.get(host.errorBody) ?? "");
    return {
      // With `default`, clients would also read streams and files as failures.
      ...(isJson ? { default: others } : { "400": others, "500": others }),
      ...(method.idempotencyKey !== "none" && { "409": others, "422": others }),
      ...Object.fromEntries(found),
    };
  }

  /** Returns a reference to the schema of a failed stream's last line. */
  streamEnd(host: Host, method: Method): JsonObject {
    const errors = this.#errorsOf(host, method).filter(
      ({ data }) => data !== null,
    );
    const key = errors.map(({ name }) => name).join();
    const known = this.#namedEnds.get(key);
    if (known !== undefined) return schemaRef(known);
    const name =
      errors.length === 0
        ? this.#streamEnd
        : this.#names.claim(`${nameResponse(errors)[0]}StreamError`);
    const refs = this.#refsTo(errors);
    const others = schemaRef(this.#envelope);
    this.#namedEnds.set(key, name);
    this.#streamEnds.set(name, {
      description: "The last line of a stream that fails.",
      type: "object",
      properties: {
        webrpcError: refs.length === 0 ? others : { anyOf: [...refs, others] },
      },
      required: ["webrpcError"],
    });
    return schemaRef(name);
  }

  #errorsOf(host: Host, method: Method): readonly ErrorDeclaration[] {
    const listed = new Set(errorsOf(host, method));
    return this.#errors.filter(({ name }) => listed.has(name));
  }

  /** Returns the responses and examples that operations refer to. */
  components(): JsonObject {
    const failures = [...this.#others].map(([body, name]) => [
      name,
      {
        description: "Any other failure, such as `WebrpcBadRequest`.",
        ...this.#headersOf([], body),
        ...this.#content(body, {}, this.#schemaOf([], body, true)),
      },
    ]);
    const order = this.#errors.map(({ name }) => name);
    const examples = [...this.#examples]
      .sort(([, a], [, b]) => order.indexOf(a.error) - order.indexOf(b.error))
      .map(([name, { value }]) => [name, { value }]);
    return {
      responses: {
        ...Object.fromEntries(this.#responses),
        ...Object.fromEntries(failures),
      },
      ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
    };
  }

  /**
   * Returns the schemas that responses and streams refer to: those of types and
   * messages, and those of failures.
   */
  schemas(): JsonObject {
    const withData = this.#errors.flatMap(({ data, docs, message, name }) => {
      const schema = this.#withData.get(name);
      return schema === undefined || data === null
        ? []
        : [[schema, this.#envelopeOf(name, data, textOf(docs) || message)]];
    });
    return {
      ...this.#documentSchemas.referred(),
      ...(this.#usesEnvelope() && { [this.#envelope]: envelope }),
      ...Object.fromEntries(withData),
      ...Object.fromEntries(this.#streamEnds),
    };
  }

  /** Whether a response or the last line of a stream is an envelope. */
  #usesEnvelope(): boolean {
    return this.#others.has(null) || this.#streamEnds.size > 0;
  }

  /** Adds the example of an error, and returns its name. */
  #addExample(error: ErrorDeclaration, body: ErrorBody | null): string {
    const { code, data, dataMembers, message, name, status } = error;
    const sample =
      data === null
        ? { isValid: false, json: null }
        : this.#sampler.value({ kind: "reference", name: data });
    const filled = fillExample(sample.json, dataMembers, error) as JsonValue;
    const json = withoutHeaders(filled, this.#fieldsOf(data));
    const envelope = {
      ...{ error: name, code, msg: message, status },
      ...(sample.isValid && { data: json }),
    };
    const value = body === null ? envelope : json;
    const usual = componentName(name);
    const known = this.#examples.get(usual);
    // Another host writes the same error differently.
    const isOther =
      known !== undefined && printJson(known.value) !== printJson(value);
    const key = isOther ? `${usual}Body` : usual;
    this.#examples.set(key, { error: name, value });
    return key;
  }

  /** Returns a reference to the response for errors of one status, or of any. */
  #respond(
    errors: readonly ErrorDeclaration[],
    body: ErrorBody | null,
    isAny: boolean,
  ): JsonObject {
    const names = errors.map(({ name }) => name);
    const key = [body?.struct, body?.mediaType, isAny, ...names].join();
    const name = this.#named.get(key) ?? this.#add(errors, body, isAny);
    this.#named.set(key, name);
    return responseRef(name);
  }

  #add(
    errors: readonly ErrorDeclaration[],
    body: ErrorBody | null,
    isAny: boolean,
  ): string {
    const texts = errors.map(({ code, docs, message, name }) => {
      const text = textOf(docs).replaceAll("\n", " ") || message;
      return `${quoteCode(name)} (${code}): ${text}`;
    });
    const description =
      texts.length === 1 ? texts : texts.map((text) => `- ${text}`);
    const examples = errors.map((error) => [
      error.name,
      { $ref: `#/components/examples/${this.#addExample(error, body)}` },
    ]);
    const claimed = this.#names.claim(...nameResponse(errors));
    this.#responses.set(claimed, {
      description: description.join("\n"),
      ...this.#headersOf(errors, body),
      ...this.#content(
        body,
        { examples: Object.fromEntries(examples) },
        this.#schemaOf(errors, body, isAny),
      ),
    });
    return claimed;
  }

  #content(
    body: ErrorBody | null,
    more: JsonObject,
    schema: JsonObject,
  ): JsonObject {
    const mediaType = body?.mediaType ?? "application/json";
    return { content: { [mediaType]: { schema, ...more } } };
  }

  /** Returns the headers of a response that contains one of several errors. */
  #headersOf(
    errors: readonly ErrorDeclaration[],
    body: ErrorBody | null,
  ): { readonly headers?: JsonObject } {
    const structs = errors.map(({ data }) => data ?? body?.struct ?? null);
    const all = errors.length > 0 ? structs : [body?.struct ?? null];
    const scope = { contract: this.#contract, schemas: this.#documentSchemas };
    const headers = errorHeaders(
      scope,
      all.map((name) => this.#fieldsOf(name)),
    );
    return headers === undefined ? {} : { headers };
  }

  /** Returns the fields of the struct that is the data of an error. */
  #fieldsOf(struct: string | null): readonly Field[] {
    const { types } = this.#contract;
    const type = struct && types.find(({ name }) => name === struct);
    return type && type.kind === "struct" ? type.fields : [];
  }

  /**
   * Returns the schema of a response that contains one of several errors. `isAny`
   * adds all errors that the method does not list.
   */
  #schemaOf(
    errors: readonly ErrorDeclaration[],
    body: ErrorBody | null,
    isAny: boolean,
  ): JsonObject {
    if (body !== null) {
      const data = errors.map((error) => error.data ?? body.struct);
      const structs = new Set(isAny ? [...data, body.struct] : data);
      const schemas = [...structs].map((name) =>
        this.#documentSchemas.type(name),
      );
      const [only = {}, ...rest] = schemas;
      return rest.length === 0 ? only : { anyOf: schemas };
    }
    const refs = this.#refsTo(errors);
    const [first, ...rest] = refs;
    if (first === undefined) return schemaRef(this.#envelope);
    if (isAny || refs.length < errors.length) {
      return { anyOf: [...refs, schemaRef(this.#envelope)] };
    }
    return rest.length === 0 ? first : { anyOf: refs };
  }

  /** Returns references to the envelopes of errors that carry data. */
  #refsTo(errors: readonly ErrorDeclaration[]): readonly JsonObject[] {
    return errors.flatMap(({ data, name }) => {
      if (data === null) return [];
      const known = this.#withData.get(name);
      const schema = known ?? this.#names.claim(`${name}Error`);
      this.#withData.set(name, schema);
      return [schemaRef(schema)];
    });
  }

  /** Returns the schema of an envelope with the data of an error. */
  #envelopeOf(name: string, data: string, description: string): JsonObject {
    const error = { ...envelope.properties.error, const: name };
    return {
      ...envelope,
      description,
      properties: {
        ...envelope.properties,
        error,
        data: this.#documentSchemas.type(data),
      },
    };
  }
}

/** Returns an example without the members that are in headers. */
function withoutHeaders(
  example: JsonValue,
  fields: readonly Field[],
): JsonValue {
  const headers = headersAmong(fields).map(({ field }) => field.jsonName);
  const isObject = typeof example === "object" && example !== null;
  if (headers.length === 0 || !isObject || isList(example)) return example;
  const members = Object.entries(example);
  return Object.fromEntries(members.filter(([key]) => !headers.includes(key)));
}

/** Returns candidates for the name of a response, best first. */
function nameResponse(
  errors: readonly ErrorDeclaration[],
): readonly [string, ...string[]] {
  const [first = "", ...rest] = errors.map(({ name }) => name);
  const all =
    rest.length > 2 ? `${first}OrOthers` : [first, ...rest].join("Or");
  return [all, `${all}Response`];
}

function responseRef(name: string): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}

function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema of the JSON of every failure. Source: docs/wire.md. */
const envelope = {
  description: "The body of every failed call.",
  type: "object",
  properties: {
    error: { description: "Name of the error.", type: "string" },
    code: {
      description: "Numeric code of the error.",
      type: "integer",
      format: "int32",
    },
    msg: { description: "Human-readable message.", type: "string" },
    cause: {
      description: "Details, such as the invalid fields.",
      type: "string",
    },
    status: {
      description: "HTTP status of the response.",
      type: "integer",
      format: "int32",
    },
  },
  required: ["error", "code", "msg", "status"],
} satisfies JsonObject;

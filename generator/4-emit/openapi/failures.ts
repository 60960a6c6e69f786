import type {
  Contract,
  ErrorDeclaration,
  Host,
  Method,
} from "../../ir/contract.js";
import { errorsOf } from "../../ir/errors-of.js";
import { groupBy } from "../../ir/group-by.js";
import { Sampler } from "../../values/sampler.js";
import type { EmitOptions } from "../emitter/emitter.js";
import type { JsonObject } from "../emitter/json-value.js";
import { quoteCode, textOf } from "../json-schema/describe.js";
import {
  componentName,
  type SchemaNames,
} from "../json-schema/schema-names.js";
import type { DocumentSchemas } from "../json-schema/document-schemas.js";

/**
 * The failures of a document: an envelope for all of them, an example for each
 * declared error that a method can return, and a response for each set of
 * errors that share a status.
 */
export class Failures {
  readonly #errors: readonly ErrorDeclaration[];
  readonly #documentSchemas: DocumentSchemas;
  readonly #sampler: Sampler;
  readonly #names: SchemaNames;
  readonly #envelope: string;
  readonly #streamEnd: string;
  readonly #others: string;
  /** Names of the errors that some method can return. Each has an example. */
  readonly #shown = new Set<string>();
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
    schemas: DocumentSchemas,
    options: EmitOptions,
  ) {
    const { names } = schemas;
    this.#errors = contract.errors;
    this.#sampler = new Sampler(contract, options, () => true);
    this.#documentSchemas = schemas;
    this.#names = names;
    this.#envelope = names.claim("WebrpcError");
    this.#streamEnd = names.claim("WebrpcStreamError");
    // Some generators put responses and schemas into one scope.
    this.#others = names.claim("Error", "OtherError");
  }

  /** Returns the error responses of a method by status. */
  responses(host: Host, method: Method, isJson: boolean): JsonObject {
    const own = this.#errorsOf(host, method);
    const found = [...groupBy(own, ({ status }) => status)].map(
      ([status, list]) => [status, this.#respond(list)] as const,
    );
    const others = responseRef(this.#others);
    return {
      // With `default`, clients would also read streams and files as failures.
      ...(isJson ? { default: others } : { "400": others, "500": others }),
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
    const failure = {
      description: "Any other failure, such as `WebrpcBadRequest`.",
      ...this.#content(),
    };
    const shown = this.#errors.filter(({ name }) => this.#shown.has(name));
    const examples = shown.map(({ code, data, message, name, status }) => [
      componentName(name),
      {
        value: {
          error: name,
          code,
          msg: message,
          status,
          ...this.#dataExample(data),
        },
      },
    ]);
    return {
      responses: {
        ...Object.fromEntries(this.#responses),
        [this.#others]: failure,
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
      [this.#envelope]: envelope,
      ...Object.fromEntries(withData),
      ...Object.fromEntries(this.#streamEnds),
    };
  }

  #dataExample(data: string | null): JsonObject {
    if (data === null) return {};
    const type = { kind: "reference", name: data } as const;
    const { isValid, json } = this.#sampler.value(type);
    return isValid ? { data: json } : {};
  }

  /** Returns a reference to the response for errors of one status. */
  #respond(errors: readonly ErrorDeclaration[]): JsonObject {
    const key = errors.map(({ name }) => name).join();
    const name = this.#named.get(key) ?? this.#add(errors);
    this.#named.set(key, name);
    return responseRef(name);
  }

  #add(errors: readonly ErrorDeclaration[]): string {
    for (const { name } of errors) this.#shown.add(name);
    const texts = errors.map(({ code, docs, message, name }) => {
      const text = textOf(docs).replaceAll("\n", " ") || message;
      return `${quoteCode(name)} (${code}): ${text}`;
    });
    const description =
      texts.length === 1 ? texts : texts.map((text) => `- ${text}`);
    const examples = errors.map(({ name }) => [
      name,
      { $ref: `#/components/examples/${componentName(name)}` },
    ]);
    const claimed = this.#names.claim(...nameResponse(errors));
    this.#responses.set(claimed, {
      description: description.join("\n"),
      ...this.#content(
        { examples: Object.fromEntries(examples) },
        this.#schemaOf(errors),
      ),
    });
    return claimed;
  }

  #content(
    more: JsonObject = {},
    schema = schemaRef(this.#envelope),
  ): JsonObject {
    return { content: { "application/json": { schema, ...more } } };
  }

  /** Returns the schema of a response that contains one of several errors. */
  #schemaOf(errors: readonly ErrorDeclaration[]): JsonObject {
    const refs = this.#refsTo(errors);
    const [first, ...rest] = refs;
    if (first === undefined) return schemaRef(this.#envelope);
    if (refs.length < errors.length) {
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

import type { Contract, ErrorDeclaration, Method } from "../../ir/contract.js";
import type { JsonObject } from "../emitter/json-value.js";
import { quoteCode, textOf } from "../json-schema/describe.js";
import { componentName } from "../json-schema/schema-names.js";
import type { SchemaWriter } from "../json-schema/schema-writer.js";

/**
 * The failures of a document: an envelope for all of them, an example for each
 * declared error, and responses by status.
 */
export class Failures {
  readonly #errors: readonly ErrorDeclaration[];
  readonly #envelope: string;
  readonly #streamEnd: string;
  /** Names of errors that have an example, because some method answers them. */
  readonly #shown = new Set<string>();
  /** Statuses of responses for methods that can answer any declared error. */
  readonly #common = new Set<number>();
  #hasStreams = false;

  constructor({ errors }: Contract, { names }: SchemaWriter) {
    this.#errors = errors;
    this.#envelope = names.claim("WebrpcError");
    this.#streamEnd = names.claim("WebrpcStreamError");
  }

  /**
   * Returns the responses of a method that are no success, by status. Input:
   * whether a success is plain JSON.
   */
  responses({ errors }: Method, isJson: boolean): JsonObject {
    const any = "#/components/responses/";
    const found =
      errors === null
        ? [...this.#byStatus(this.#errors).keys()].map((status) => {
            this.#common.add(status);
            return [status, { $ref: `${any}Error${status}` }] as const;
          })
        : [...this.#byStatus(this.#named(errors))].map(
            ([status, list]) => [status, this.#response(list)] as const,
          );
    const others = { $ref: `${any}Error` };
    return {
      // As `default`, clients would also read streams and files as failures.
      ...(isJson ? { default: others } : { "400": others, "500": others }),
      ...Object.fromEntries(found),
    };
  }

  /** Returns a reference to the last line of a stream that breaks off. */
  streamEnd(): JsonObject {
    this.#hasStreams = true;
    return schemaRef(this.#streamEnd);
  }

  /** Returns components that the responses refer to. */
  components(): JsonObject {
    const all = this.#byStatus(this.#errors);
    const statuses = [...this.#common].sort((a, b) => a - b);
    const common = statuses.map((status) => [
      `Error${status}`,
      this.#response(all.get(status) ?? []),
    ]);
    const failure = {
      description: "Any other failure, such as `WebrpcBadRequest`.",
      ...this.#content(),
    };
    const shown = this.#errors.filter(({ name }) => this.#shown.has(name));
    const examples = shown.map(({ code, message, name, status }) => [
      componentName(name),
      { value: { error: name, code, msg: message, status } },
    ]);
    return {
      responses: { ...Object.fromEntries(common), Error: failure },
      ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
    };
  }

  /** Returns the schemas that the responses refer to. */
  schemas(): JsonObject {
    const ended = {
      type: "object",
      description: "The last line of a stream that breaks off.",
      properties: { webrpcError: schemaRef(this.#envelope) },
      required: ["webrpcError"],
    };
    return {
      [this.#envelope]: envelope,
      ...(this.#hasStreams && { [this.#streamEnd]: ended }),
    };
  }

  #named(names: readonly string[]): readonly ErrorDeclaration[] {
    return this.#errors.filter(({ name }) => names.includes(name));
  }

  #byStatus(
    errors: readonly ErrorDeclaration[],
  ): ReadonlyMap<number, readonly ErrorDeclaration[]> {
    const found = new Map<number, ErrorDeclaration[]>();
    for (const error of errors) {
      const list = found.get(error.status);
      if (list === undefined) found.set(error.status, [error]);
      else list.push(error);
    }
    return found;
  }

  #response(errors: readonly ErrorDeclaration[]): JsonObject {
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
    return {
      description: description.join("\n"),
      ...this.#content({ examples: Object.fromEntries(examples) }),
    };
  }

  #content(more: JsonObject = {}): JsonObject {
    const schema = schemaRef(this.#envelope);
    return { content: { "application/json": { schema, ...more } } };
  }
}

function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The JSON of every failure. Source: docs/wire.md. */
const envelope: JsonObject = {
  type: "object",
  description: "What is sent if a call fails.",
  properties: {
    error: { type: "string", description: "Name of the error." },
    code: {
      type: "integer",
      format: "int32",
      description: "Number of the error.",
    },
    msg: { type: "string", description: "What happened, for people." },
    cause: { type: "string", description: "Details, such as fields at fault." },
    status: {
      type: "integer",
      format: "int32",
      description: "Status of the HTTP response.",
    },
  },
  required: ["error", "code", "msg", "status"],
};

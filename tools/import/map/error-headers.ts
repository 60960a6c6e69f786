import type { DocumentPart } from "../read/document-part.js";
import type { ModelError, ModelField, ModelService } from "../model/model.js";
import { NameScope } from "../model/names.js";
import { type MappedHeader, mapHeaders } from "./responses.js";
import type { ModelStruct, Types } from "./types/types.js";

/** Collects the headers of errors, which are fields of their data. */
export class ErrorHeaders {
  readonly #types: Types;
  /** Headers by lowercase names, by the struct or the error that has them. */
  readonly #found = new Map<string | ModelError, Map<string, MappedHeader>>();

  constructor(types: Types) {
    this.#types = types;
  }

  /** Adds the headers of a response. `owner` is its struct, or else its error. */
  add(response: DocumentPart, owner: string | ModelError, hint: string): void {
    for (const header of mapHeaders(response, hint, this.#types)) {
      this.#addHeader(owner, header);
    }
  }

  #addHeader(owner: string | ModelError, header: MappedHeader): void {
    const { field, name } = header;
    const { notes } = this.#types;
    const known = this.#found.get(owner) ?? new Map<string, MappedHeader>();
    const key = name.toLowerCase();
    const other = known.get(key)?.field;
    this.#found.set(owner, known);
    if (other === undefined) {
      known.set(key, header);
      if (field.isOptional) return;
      const message = `servers create errors without the header \`${name}\``;
      notes.add("value", field.part, message, "the header is optional");
    } else if (limitsOf(other) !== limitsOf(field)) {
      const message = `the header \`${name}\` has another type in another response`;
      notes.add("value", field.part, message, `it is \`${other.type}\``);
    }
  }

  /** The errors with headers whose responses have no struct. */
  bare(): readonly ModelError[] {
    return [...this.#found.keys()].filter((owner) => typeof owner !== "string");
  }

  /** Moves the headers of an error to a struct. */
  move(error: ModelError, struct: string): void {
    for (const header of this.#found.get(error)?.values() ?? []) {
      this.#addHeader(struct, header);
    }
    this.#found.delete(error);
  }

  /**
   * Adds the headers to a struct. Returns its name, or the name of a copy if the
   * struct is not only the data of errors.
   */
  addTo(name: string, services: readonly ModelService[]): string {
    const struct = this.#types.structOf(name);
    const headers = this.#found.get(name);
    if (struct === null || headers === undefined) return name;
    const fields = withHeaders(struct.body.fields, [...headers.values()]);
    if (isUsed(struct, this.#types, services)) {
      const hint = `${name}WithHeaders`;
      const copy = this.#types.declareStruct(struct.part, hint, fields);
      const declared = this.#types.find(copy);
      if (declared) declared.docs = struct.docs;
      return copy;
    }
    struct.body.fields = fields;
    return name;
  }

  /** Declares a struct of the headers of an error without one. */
  declare(error: ModelError): string | null {
    const headers = [...(this.#found.get(error)?.values() ?? [])];
    const [first] = headers;
    if (first === undefined) return null;
    const hint = `${error.name}Headers`;
    const fields = withHeaders([], headers);
    return this.#types.declareStruct(first.field.part, hint, fields);
  }
}

function limitsOf({ metadata, type }: ModelField): string {
  const limits = metadata.filter(({ key }) => key !== "example");
  return JSON.stringify([type, limits]);
}

function withHeaders(
  fields: readonly ModelField[],
  headers: readonly MappedHeader[],
): readonly ModelField[] {
  const names = new NameScope();
  for (const { name, wire } of fields)
    [name, wire].forEach((each) => names.take(each));
  const added = headers.map(({ field, name }): ModelField => ({
    ...field,
    name: names.take(field.name),
    isOptional: true,
    metadata: [...field.metadata, { key: "header", value: name }],
  }));
  return [...fields, ...added];
}

/** Whether a type or a method contains a struct. */
function isUsed(
  { name }: ModelStruct,
  { types }: Types,
  services: readonly ModelService[],
): boolean {
  const word = new RegExp(`\\b${name}\\b`, "u");
  return (
    types.some(({ body }) => {
      switch (body.kind) {
        case "alias":
          return [body.type, ...body.metadata.map(textOf)].some((text) =>
            word.test(text),
          );
        case "enum":
          return false;
        case "struct":
          return body.fields
            .flatMap(({ metadata, type }) => [type, ...metadata.map(textOf)])
            .some((text) => word.test(text));
      }
    }) ||
    services
      .flatMap(({ methods }) => methods)
      .flatMap(({ input, output }) => [input, output])
      .some((message) =>
        message.kind === "struct"
          ? message.name === name
          : message.list.some(({ type }) => word.test(type)),
      )
  );
}

/** Returns the text of a line that can name types. */
function textOf({ key, value }: ModelField["metadata"][number]): string {
  return key === "oneOf" ? value : "";
}

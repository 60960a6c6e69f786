import type { DocumentPart } from "../read/document-part.js";

/** A `+ key = value` line. `value` is text without quotes. */
export interface Meta {
  readonly key: string;
  readonly value: string;
}

/** A RIDL type with its limits. */
export interface MappedType {
  /** The type as written in RIDL, e.g. `[]Order`. */
  readonly type: string;
  readonly metadata: readonly Meta[];
}

/** A field of a struct. */
export interface ModelField extends MappedType {
  readonly name: string;
  /** The name on the wire. */
  readonly wire: string;
  readonly isOptional: boolean;
  readonly docs: readonly string[];
  readonly part: DocumentPart;
}

/** A declaration of a type. Its contents are settled once all are known. */
export interface ModelType {
  readonly name: string;
  readonly part: DocumentPart;
  docs: readonly string[];
  body: TypeBody;
}

/** What a type is. */
export type TypeBody =
  | ({ readonly kind: "alias" } & MappedType)
  | { readonly kind: "struct"; fields: readonly ModelField[] }
  | {
      readonly kind: "enum";
      readonly members: readonly {
        readonly name: string;
        readonly value: string;
        readonly docs?: readonly string[];
      }[];
    };

/** A declared error. */
export interface ModelError {
  readonly name: string;
  readonly code: number;
  readonly status: number;
  readonly message: string;
  readonly docs: readonly string[];
}

/** An argument or output. */
export interface ModelArgument {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
}

/** The request or the response of a method: a struct, or arguments. */
export type ModelMessage =
  | { readonly kind: "struct"; readonly name: string }
  | { readonly kind: "arguments"; readonly list: readonly ModelArgument[] };

/** A method. */
export interface ModelMethod {
  readonly name: string;
  readonly docs: readonly string[];
  /** Annotations as written, e.g. `@get:"/orders/{id}"`. */
  annotations: readonly string[];
  readonly input: ModelMessage;
  readonly output: ModelMessage;
  /** Whether the output is a stream. */
  readonly isStream?: boolean;
  readonly errors: readonly string[];
  readonly part: DocumentPart;
}

/** A service. */
export interface ModelService {
  readonly name: string;
  readonly docs: readonly string[];
  methods: readonly ModelMethod[];
}

/** The suffix of the document with the types of several hosts. */
export const sharedSuffix = "types";

/** The services at one address. */
export interface ModelHost {
  /** What follows the name of the API, e.g. `uploads`, or "" for the first. */
  readonly suffix: string;
  /** The name of the type with its address, or null if it has none. */
  readonly base: string | null;
  readonly services: readonly ModelService[];
}

/**
 * A contract. If it has several hosts, each of them is a document, and another
 * one has all types and errors.
 */
export interface Model {
  readonly docs: readonly string[];
  readonly name: string;
  readonly version: string;
  readonly types: readonly ModelType[];
  readonly errors: readonly ModelError[];
  readonly hosts: readonly ModelHost[];
}

import type { IntegerName, ScalarName } from "./scalars.js";

export type { IntegerName, ScalarName };

/**
 * The checked model that every emitter reads: names resolved, constraints
 * typed, documents merged. It holds no syntax, no spans and no target's words.
 * Everything is plain data and serialises to JSON, but for integers beyond
 * 2^53-1, which are `bigint`.
 */
export interface Contract {
  readonly kind: "contract";
  /** One for each document given to the generator, in that order. */
  readonly hosts: readonly Host[];
  /** All struct, enum and alias declarations, imported ones first, each once. */
  readonly types: readonly TypeDeclaration[];
  /** The errors declared in RIDL (built-in ones are the runtime's), by code. */
  readonly errors: readonly ErrorDeclaration[];
  /** Ways to say who is calling, declared by aliases with `+ header = …`. */
  readonly credentials: readonly Credential[];
  /**
   * Name of the error that answers a field that is missing or malformed:
   * `InvalidArgument` where the contract declares it, else `WebrpcBadRequest`.
   */
  readonly validationError: string;
}

/** One entry document: the services that answer under one base address. */
export interface Host {
  readonly kind: "host";
  /** Header `name`, else the file's base name; e.g. `marketplace`. */
  readonly name: string;
  /** Path of the entry document as given, e.g. `schema/marketplace.ridl`. */
  readonly document: string;
  /** Header `version` without a leading `v`, e.g. `0.0.1`; null when absent. */
  readonly version: string | null;
  readonly docs: Docs;
  /** Normalised base path, split at its parameters; `/rpc/` unless given. */
  readonly basePath: PathTemplate;
  /** Base address with placeholders, e.g. `{marketplace_url}`; null when not said. */
  readonly baseUrl: string | null;
  readonly services: readonly Service[];
}

/** A path such as `/{network}/rpc/`, as alternating literals and parameters. */
export interface PathTemplate {
  /** As written, e.g. `/tokens/{network}/{contractAddress}/{tokenIDs}`. */
  readonly text: string;
  readonly segments: readonly PathSegment[];
}

/** One part between slashes, or a parameter that takes its place. */
export type PathSegment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "parameter"; readonly name: string };

/** What people are told about a declaration. */
export interface Docs {
  /** Text of the doc comment, one entry a line, `origin:` lines taken out. */
  readonly lines: readonly string[];
  /** Where the facts come from; empty when the schema does not say. */
  readonly origins: readonly Origin[];
}

/** One `origin: stated 4.4` line of a doc comment. */
export interface Origin {
  /** Said by the interface document, known from public sources, or ours. */
  readonly kind: "stated" | "public" | "decided";
  /** The rest of the line, e.g. `4.4` or `paging`; may be empty. */
  readonly detail: string;
}

/** A group of methods; its name is part of their path. */
export interface Service {
  readonly kind: "service";
  /** As in RIDL, e.g. `API`; may contain `/`. */
  readonly name: string;
  readonly docs: Docs;
  /** `outbound`: calls that the host makes to others (`@webhook`). */
  readonly direction: "inbound" | "outbound";
  readonly methods: readonly Method[];
}

/** One operation. */
export interface Method {
  readonly kind: "method";
  /** As in RIDL, e.g. `GetSwapPrice`. */
  readonly name: string;
  readonly docs: Docs;
  /** Name of the service that it belongs to. */
  readonly service: string;
  readonly request: Message;
  readonly response: Message;
  readonly route: Route;
  /** Header names of the credentials needed, in the order they are checked. */
  readonly credentials: readonly string[];
  /**
   * Names of the declared errors that it answers: those that it lists, then those
   * of its credentials and of invalid requests; null means any of the contract.
   */
  readonly errors: readonly string[] | null;
  /** `readonly` has no effect, `idempotent` the same effect however often called. */
  readonly safety: "none" | "idempotent" | "readonly";
  /** Text of `@deprecated`; "" when it has none; null when not deprecated. */
  readonly deprecated: string | null;
  /** All annotations as written, those with a meaning above included. */
  readonly annotations: readonly Annotation[];
}

/** How a method is reached. */
export type Route =
  /** POST to the base path + `Service/Method`. */
  | { readonly kind: "rpc"; readonly path: string }
  /** GET with path parameters that fill request fields. */
  | {
      readonly kind: "rest";
      readonly path: PathTemplate;
      /** Output field that is the whole body; null when the body is the message. */
      readonly body: string | null;
    }
  /** POST to an address that the receiver chose. */
  | { readonly kind: "webhook" };

/** One request or response. */
export interface Message {
  readonly kind: "message";
  /** Name of the struct that is the body itself; null when arguments are listed. */
  readonly struct: string | null;
  /** The arguments, or the fields of that struct. */
  readonly fields: readonly Field[];
  readonly isStream: boolean;
}

/** `@auth:"X-Access-Key"`. */
export interface Annotation {
  readonly name: string;
  /** null when written without a value. */
  readonly value: string | null;
}

/** A declared type. */
export type TypeDeclaration = Struct | Enum | Alias;

interface Declaration {
  /** As in RIDL. */
  readonly name: string;
  readonly docs: Docs;
  /** Name of the host whose document declares it; null when it is imported. */
  readonly host: string | null;
}

/** An object with named fields. */
export interface Struct extends Declaration {
  readonly kind: "struct";
  readonly fields: readonly Field[];
}

/** A member of a struct, or an argument. */
export interface Field {
  readonly kind: "field";
  /** As in RIDL. */
  readonly name: string;
  /** Property name on the wire (`+ json`); fields with `json = -` are not in the IR. */
  readonly jsonName: string;
  readonly docs: Docs;
  readonly type: TypeReference;
  readonly isOptional: boolean;
  /** `+ nullable = true`: always present, may be `null`. */
  readonly isNullable: boolean;
  /**
   * `+ sensitive = true` on the field, or on a type that it has or is a list or
   * map of: its value is never repeated in a message.
   */
  readonly isSensitive: boolean;
  /** `+ deprecated = …`, as for methods. */
  readonly deprecated: string | null;
  readonly constraints: Constraints;
  /** All metadata as written, those with a meaning above included. */
  readonly metadata: readonly MetadataEntry[];
}

/** A closed set of values. */
export interface Enum extends Declaration {
  readonly kind: "enum";
  /** Integer enums travel as the member's name, string enums as its value. */
  readonly base: IntegerName | "string";
  readonly members: readonly EnumMember[];
}

/** One value of an enum. */
export interface EnumMember {
  readonly name: string;
  /** Declared value as text: digits for integer enums. */
  readonly value: string;
  /** What stands on the wire: the name (integer enums) or the value (string enums). */
  readonly jsonValue: string;
  readonly docs: Docs;
}

/** Another name for a type, with constraints of its own. */
export interface Alias extends Declaration {
  readonly kind: "alias";
  readonly type: TypeReference;
  readonly constraints: Constraints;
  /** Enum whose values are known but not the only ones (`+ known = Enum`); or null. */
  readonly known: string | null;
  /**
   * What a value is called in a validation failure (`+ title`), e.g. `an address`;
   * null: the emitter describes type and constraints.
   */
  readonly title: string | null;
  /**
   * `+ accept = integer` on a string alias: a JSON integer is accepted in a
   * request too, and read as its decimal digits.
   */
  readonly acceptsInteger: boolean;
  readonly metadata: readonly MetadataEntry[];
}

/** One `+ key = value` line. */
export interface MetadataEntry {
  readonly key: string;
  readonly value: string;
}

/** Limits on a value, with the words of JSON Schema. Absent means unlimited. */
export interface Constraints {
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  /** In Unicode code points. */
  readonly minLength?: number;
  /** In Unicode code points. */
  readonly maxLength?: number;
  /** Source of an ECMAScript regular expression with the `u` flag. */
  readonly pattern?: string;
  /** `uri`: an absolute http or https URL. */
  readonly format?: "uri";
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  /** Entries of a map. */
  readonly minProperties?: number;
  /** Entries of a map. */
  readonly maxProperties?: number;
  /** An example value, for docs and explorers. */
  readonly example?: string;
}

/** A header that says who is calling. */
export interface Credential {
  /** Alias that declares it, e.g. `AccessKey`. */
  readonly name: string;
  readonly docs: Docs;
  /** Header as written, e.g. `X-Access-Key`. */
  readonly header: string;
  /** Word before the value, e.g. `Bearer`; null when the value stands alone. */
  readonly scheme: string | null;
  /** Error that answers when it is missing or refused, e.g. `AccessKeyNotFound`. */
  readonly error: string;
}

/** A declared outcome. */
export interface ErrorDeclaration {
  readonly kind: "error";
  readonly name: string;
  readonly code: number;
  readonly message: string;
  /** HTTP status, 400 to 599. */
  readonly status: number;
  readonly docs: Docs;
}

/** The type of a field, an argument, an element or an alias. */
export type TypeReference =
  | { readonly kind: "scalar"; readonly name: ScalarName }
  | { readonly kind: "list"; readonly element: TypeReference }
  | {
      readonly kind: "map";
      /** string, an integer, or a reference to an enum. */
      readonly key: TypeReference;
      readonly value: TypeReference;
    }
  /** A struct, enum or alias of the contract. */
  | { readonly kind: "reference"; readonly name: string };

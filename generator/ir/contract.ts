import type { Credential, CredentialPlace } from "./credential.js";
import type { Docs, Origin } from "./docs.js";
import type { PathTemplate } from "./path-template.js";
import type { IntegerName, ScalarName } from "./scalars.js";

export type {
  Credential,
  CredentialPlace,
  Docs,
  IntegerName,
  Origin,
  ScalarName,
};

/**
 * The checked model that every emitter reads. Names are resolved, constraints
 * are typed, and documents are merged. It contains no syntax, no spans, and
 * nothing specific to a target. Everything is plain data that can be serialized
 * to JSON, except that integers beyond 2^53-1 are `bigint`.
 */
export interface Contract {
  readonly kind: "contract";
  /** The hosts, in the order of their entry documents. */
  readonly hosts: readonly Host[];
  /**
   * All struct, enum, alias and union declarations without duplicates, with imported
   * declarations first.
   */
  readonly types: readonly TypeDeclaration[];
  /**
   * The errors declared in RIDL, sorted by code. Built-in errors belong to the
   * runtime.
   */
  readonly errors: readonly ErrorDeclaration[];
  /**
   * Credentials that identify a caller, declared by aliases with `+ header =
   * …`.
   */
  readonly credentials: readonly Credential[];
}

/** The services of one entry document, which share a base address. */
export interface Host {
  readonly kind: "host";
  /**
   * Header `name`, or the file's base name if there is no header, e.g.
   * `marketplace`.
   */
  readonly name: string;
  /** Path of the entry document as given, e.g. `schema/marketplace.ridl`. */
  readonly document: string;
  /** Header `version` without a leading `v`, e.g. `0.0.1`, or null. */
  readonly version: string | null;
  readonly docs: Docs;
  /** Normalized base path, split at its parameters. The default is `/rpc/`. */
  readonly basePath: PathTemplate;
  /**
   * Base address with placeholders, e.g. `{marketplace_url}`, or null if not
   * given.
   */
  readonly baseUrl: string | null;
  readonly services: readonly Service[];
  /**
   * Names of the errors that the host's documents declare or import. A method
   * that lists no errors can return all of them.
   */
  readonly errors: readonly string[];
  /**
   * Name of the error for missing or malformed fields: `InvalidArgument` if the
   * host's documents declare or import it, otherwise `WebrpcBadRequest`.
   */
  readonly validationError: string;
  /**
   * The body of the host's errors (`+ errorBody`), or null if it is webrpc's
   * envelope.
   */
  readonly errorBody: ErrorBody | null;
}

/** A struct that a host writes for every error that has no data of its own. */
export interface ErrorBody {
  /** Name of the struct. */
  readonly struct: string;
  /** Media type, e.g. `application/problem+json`. */
  readonly mediaType: string;
  readonly members: readonly ErrorMember[];
}

/** A member of the body of an error that the error itself determines. */
export interface ErrorMember {
  /** JSON names from the body to the member. 0 is the first item of a list. */
  readonly path: readonly (string | 0)[];
  /** The part of the error (`+ error`), or null if the value is constant. */
  readonly role: ErrorRole | null;
  /**
   * Values by the names of errors if the type is an enum. Null if the value is
   * the part itself.
   */
  readonly names: Readonly<Record<string, string>> | null;
  /** Whether errors that are not in `names` are written with their own names. */
  readonly isOpen: boolean;
  /** Whether a code or a status is text. */
  readonly isText: boolean;
  /** The value of a member without a role. */
  readonly value: AllowedValue | readonly [] | Readonly<object> | null;
}

/** A part of an error. */
export type ErrorRole =
  "name" | "code" | "message" | "title" | "status" | "cause";

/** A group of methods. Its name is part of the paths of RPC methods. */
export interface Service {
  readonly kind: "service";
  /** Name as in RIDL, e.g. `API`. It can contain `/`. */
  readonly name: string;
  readonly docs: Docs;
  /** `outbound`: webhooks that the host sends (`@webhook`). */
  readonly direction: "inbound" | "outbound";
  readonly methods: readonly Method[];
}

/** A method of a service. */
export interface Method {
  readonly kind: "method";
  /** Name as in RIDL, e.g. `GetSwapPrice`. */
  readonly name: string;
  readonly docs: Docs;
  /** Name of the service that the method belongs to. */
  readonly service: string;
  readonly request: Message;
  readonly response: Message;
  readonly route: Route;
  /**
   * Keys of the credentials that the method accepts, in the order in which they
   * are checked. All are required, unless there are `alternatives`.
   */
  readonly credentials: readonly string[];
  /**
   * Lists of keys. Each call needs all credentials of one list. The last list is
   * empty if a call needs none. There are no lists if there is no choice.
   */
  readonly alternatives: readonly (readonly string[])[];
  /**
   * Names of the declared errors that the method can return: first the errors
   * that it lists, then the errors for its credentials and for invalid
   * requests. Null means any error of the host.
   */
  readonly errors: readonly string[] | null;
  /** `readonly`: no effect. `idempotent`: repeating it has no further effect. */
  readonly safety: "none" | "idempotent" | "readonly";
  /** Whether clients must or can send a key that identifies a call. */
  readonly idempotencyKey: "none" | "optional" | "required";
  /** How clients continue a lost stream (`@resume`), or null. */
  readonly resume: Resume | null;
  /** Whether only clients have the method (`@clientOnly`). Servers leave it out. */
  readonly isClientOnly: boolean;
  /** Text of `@deprecated`, or "". Null if the method is not deprecated. */
  readonly deprecated: string | null;
  /** All annotations as written, also those that other properties represent. */
  readonly annotations: readonly Annotation[];
}

/** The cursor of a stream. */
export interface Resume {
  /** JSON name of the request field with the last item's cursor, e.g. `after`. */
  readonly argument: string;
  /** JSON names from an item to its cursor, e.g. `["message", "id"]`. */
  readonly cursor: readonly string[];
}

/** The address of a method. */
export type Route =
  /** POST to the base path followed by `Service/Method`. */
  | { readonly kind: "rpc"; readonly path: string }
  /** A verb, a path and a query of its own (`@http`, or `@get` for GET). */
  | {
      readonly kind: "rest";
      readonly verb: Verb;
      /** The path, whose parameters are fields of the request. */
      readonly path: PathTemplate;
      /** The parameters of the query, in the order in which they are sent. */
      readonly query: readonly QueryParameter[];
      /** The headers of the request that contain fields. */
      readonly headers: readonly HeaderField[];
      readonly requestBody: RequestBody;
      /** The first or only status of a success. 204 and 205 have no body. */
      readonly status: number;
      /** All statuses, unless the only one has a body and is in no output. */
      readonly statuses: readonly SuccessStatus[];
      /** Output field that contains the status, or null. */
      readonly statusOutput: string | null;
      /**
       * Output field that is the entire body, or null if the body is the whole
       * response.
       */
      readonly body: string | null;
      /**
       * The headers that contain outputs. If there are any, `body` is the only
       * other output, or null if there is none.
       */
      readonly responseHeaders: readonly HeaderField[];
    }
  /** POST to an address that the receiver chose. */
  | { readonly kind: "webhook" };

/** The HTTP method of a REST method. */
export type Verb = (typeof verbs)[number];

/** All HTTP methods that `@http` accepts. Only clients have HEAD methods. */
export const verbs = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;

/** A part of a query such as `?notify&limit={pageSize}&beta=true`. */
export type QueryParameter =
  /** A field of the request. */
  | {
      readonly kind: "field";
      /** Name in the query, e.g. `limit`. */
      readonly name: string;
      /** JSON name of the field, e.g. `pageSize`. */
      readonly field: string;
      /** Whether a list is `a=1,2`, and not one pair for each item. */
      readonly isJoined: boolean;
    }
  /** A pair that clients always send, and that servers ignore. */
  | {
      readonly kind: "fixed";
      readonly name: string;
      readonly value: string;
    };

/** A header that contains a field. */
export interface HeaderField {
  /** Name of the header as written, e.g. `If-Match`. Case has no meaning. */
  readonly name: string;
  /** JSON name of the field, e.g. `ifMatch`. */
  readonly field: string;
}

/** A status of a success, and what the response with it contains. */
export interface SuccessStatus {
  /** 200 to 299. */
  readonly status: number;
  /** JSON name of the output that is the body, or null if there is no body. */
  readonly body: string | null;
}

/** The body of the request of a REST method. */
export type RequestBody =
  /** No body: every field is in the path, the query or a header. */
  | { readonly kind: "none" }
  /** An object with all fields that are in no other part of the request. */
  | (BodyForm & { readonly kind: "fields"; readonly fields: readonly string[] })
  /** One field (`@requestBody`). */
  | (BodyForm & { readonly kind: "field"; readonly field: string });

/** How clients write a request body. */
export interface BodyForm {
  readonly format: BodyFormat;
  /** That of JSON, such as `application/merge-patch+json`, or null if usual. */
  readonly mediaType: string | null;
}

/**
 * How clients write a request body: as JSON, as a form (`@form`), in which a list
 * is `a=1&a=2`, or `a[]=1&a[]=2` with brackets, or as the content of the file that
 * is the whole body. Servers read both forms.
 */
export type BodyFormat = "json" | "form" | "bracket-form" | "file";

/** One request or response. */
export interface Message {
  readonly kind: "message";
  /**
   * Name of the struct that is the body, or null if the message lists
   * arguments.
   */
  readonly struct: string | null;
  /** The arguments, or the fields of that struct. */
  readonly fields: readonly Field[];
  readonly isStream: boolean;
}

/** An annotation, e.g. `@auth:"X-Access-Key"`. */
export interface Annotation {
  readonly name: string;
  /** The value, or null if the annotation has none. */
  readonly value: string | null;
}

/** A declared type. */
export type TypeDeclaration = Struct | Enum | Alias | Union;

interface Declaration {
  /** Name as in RIDL. */
  readonly name: string;
  readonly docs: Docs;
  /**
   * Name of the host whose document declares the type, or null if another
   * document imports that document.
   */
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
  /** Name as in RIDL. */
  readonly name: string;
  /**
   * Property name on the wire (`+ json`). Fields with `json = -` are omitted.
   */
  readonly jsonName: string;
  readonly docs: Docs;
  readonly type: TypeReference;
  readonly isOptional: boolean;
  /** `+ nullable = true` on the field or on its type: the value can be `null`. */
  readonly isNullable: boolean;
  /**
   * `+ sensitive = true` on the field, on its type, or on the type of its
   * items. Error messages never contain the value.
   */
  readonly isSensitive: boolean;
  /**
   * `+ extra = true`: the field is a map of all members of its JSON object that
   * no other field declares. The map itself is not a member, so `jsonName` is
   * only its name in code. A struct has at most one such field.
   */
  readonly isExtra: boolean;
  /** `+ header` in the data of an error: the header that contains the field. */
  readonly header: string | null;
  /** `+ deprecated = …`, as for methods. */
  readonly deprecated: string | null;
  readonly constraints: Constraints;
  /** All metadata as written, also the keys that other properties represent. */
  readonly metadata: readonly MetadataEntry[];
}

/** A closed set of values. */
export interface Enum extends Declaration {
  readonly kind: "enum";
  /**
   * On the wire, integer enums use the member's name, and string enums use its
   * value.
   */
  readonly base: IntegerName | "string";
  readonly members: readonly EnumMember[];
}

/** One value of an enum. */
export interface EnumMember {
  readonly name: string;
  /**
   * The declared value as a string. For integer enums, it consists of digits.
   */
  readonly value: string;
  /**
   * The value on the wire: the name (integer enums) or the value (string
   * enums).
   */
  readonly jsonValue: string;
  readonly docs: Docs;
}

/** Another name for a type, optionally with constraints. */
export interface Alias extends Declaration {
  readonly kind: "alias";
  readonly type: TypeReference;
  readonly constraints: Constraints;
  /**
   * Enum with the known values of an open enum (`+ known = Enum`), or null for
   * other aliases.
   */
  readonly known: string | null;
  /**
   * Name of the value in validation errors (`+ title`), e.g. `an address`. If
   * it is null, the emitter describes the type and its constraints.
   */
  readonly title: string | null;
  /**
   * `+ accept = integer` on a string alias: requests can also contain a JSON
   * integer, which is read as a string of digits.
   */
  readonly acceptsInteger: boolean;
  /**
   * `+ nullable = true`: null is a value wherever the alias is used, including
   * as an item of a list or map.
   */
  readonly isNullable: boolean;
  readonly metadata: readonly MetadataEntry[];
}

/** A value of one of several types. */
export interface Union extends Declaration {
  readonly kind: "union";
  /**
   * The types of the variants. If the union has a tag, they are structs, or
   * unions with the same tag.
   */
  readonly variants: readonly TypeReference[];
  /**
   * JSON name of the field whose value tells the variants apart. If it is null,
   * they are told apart by the kind of JSON value, and objects by their required
   * fields: an object is of the first variant whose required fields it has.
   */
  readonly tag: string | null;
  /** `+ open = true`: objects with other tags are valid, and kept unchanged. */
  readonly isOpen: boolean;
  /**
   * JSON names of the fields of which exactly one must be present (`+ choice`).
   * Empty for other unions.
   */
  readonly choice: readonly string[];
  /** An example value. Limits do not apply to unions. */
  readonly constraints: Constraints;
  /** As for aliases. */
  readonly title: string | null;
  /** `+ nullable = true`, as for aliases. */
  readonly isNullable: boolean;
  readonly metadata: readonly MetadataEntry[];
}

/** One `+ key = value` line. */
export interface MetadataEntry {
  readonly key: string;
  readonly value: string;
}

/** A value that `+ enum` lists, as on the wire. */
export type AllowedValue = string | number | bigint | boolean;

/** Limits on a value, named as in JSON Schema. Absent means unlimited. */
export interface Constraints {
  /**
   * The only values that are allowed, without duplicates. Those of `bigint` are
   * decimal strings without leading zeros.
   */
  readonly enum?: readonly AllowedValue[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  /** Minimum number of Unicode code points. */
  readonly minLength?: number;
  /** Maximum number of Unicode code points. */
  readonly maxLength?: number;
  /** Source of an ECMAScript regular expression with the `u` flag. */
  readonly pattern?: string;
  /** `uri`: an absolute http or https URL of RFC 3986. */
  readonly format?: "uri";
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  /** Minimum number of entries in a map. */
  readonly minProperties?: number;
  /** Maximum number of entries in a map. */
  readonly maxProperties?: number;
  /** An example value, for docs and explorers. */
  readonly example?: string;
}

/** A declared error. */
export interface ErrorDeclaration {
  readonly kind: "error";
  readonly name: string;
  readonly code: number;
  readonly message: string;
  /** HTTP status, 300 to 599. */
  readonly status: number;
  /** Whether handlers choose the status (`+ anyStatus`). */
  readonly anyStatus: boolean;
  /**
   * Name of the struct that the error carries as its data (`+ dataOf` on an
   * alias of the struct, or the body of the host's errors), or null if it
   * carries none.
   */
  readonly data: string | null;
  /** The members of the data that servers fill in. */
  readonly dataMembers: readonly ErrorMember[];
  /** Whether servers can fill in all required members of the data. */
  readonly isDataOptional: boolean;
  readonly docs: Docs;
}

/** The type of a field, an argument, an element or an alias. */
export type TypeReference =
  | { readonly kind: "scalar"; readonly name: ScalarName }
  | { readonly kind: "list"; readonly element: TypeReference }
  | {
      readonly kind: "map";
      /** `string`, an integer type, or a reference to an enum. */
      readonly key: TypeReference;
      readonly value: TypeReference;
    }
  /** A struct, enum, alias or union of the contract. */
  | { readonly kind: "reference"; readonly name: string };

import type {
  Constraints,
  ScalarName,
  TypeReference,
  HeaderField,
  QueryParameter,
  SuccessStatus,
} from "../../ir/contract.js";

import type { ListsInForm } from "../../http/wire-method.js";
export type { ScalarName, TypeReference } from "../../ir/contract.js";

/** Folder in the output for the page and what it offers for download. */
export const explorerFolder = "explorer";

/** Path of the page in the output. */
export const explorerPage = `${explorerFolder}/index.html`;

/**
 * The data in the explorer's page: the public part of the contract, with the
 * names of the generated client. It is plain JSON, without absent or false
 * values. `explorer/`, which displays it, imports its types from here.
 */
export interface ExplorerData {
  readonly title: string;
  readonly hosts: readonly HostData[];
  readonly types: readonly TypeData[];
  /** Declared errors, sorted by code, followed by the built-in errors. */
  readonly errors: readonly ErrorData[];
  readonly credentials: readonly CredentialData[];
  /** Initial values of address parameters, as pairs of name and value. */
  readonly parameters: readonly (readonly [string, string])[];
  readonly scalars: readonly ScalarData[];
}

/** A core type. */
export interface ScalarData {
  readonly name: ScalarName;
  readonly form: InputForm;
  /** A typical value. It is "" for files. */
  readonly example: string;
  /** The TypeScript type if it differs from that of the JSON. */
  readonly code?: "bigint" | "date";
  /** The texts of a `formatted` value, e.g. `a timestamp such as …`. */
  readonly title?: string;
  /** The format of these texts, e.g. `date-time`. */
  readonly format?: string;
  /** A pattern that these texts match. */
  readonly pattern?: string;
}

/** How users enter the values of a core type. */
export type InputForm =
  | "boolean"
  /** The user chooses a file. */
  | "file"
  /** Text of which only some is valid, such as timestamps. */
  | "formatted"
  | "integer"
  /** Digits that are sent as a string. */
  | "integer-text"
  | "json"
  /** There is only one value. */
  | "null"
  | "number"
  | "text";

/** The documentation of a declaration. */
export interface TextData {
  /** Lines of the doc comment, joined. */
  readonly docs?: string;
}

/** One service host. */
export interface HostData extends TextData {
  readonly name: string;
  readonly version?: string;
  /**
   * `https://…`, or a path on the server that provides the page. If absent, the
   * address is that server itself.
   */
  readonly address?: string;
  /** Names of the parameters of the base path, which the client requires. */
  readonly parameters?: readonly string[];
  /**
   * Module that exports the host's client, e.g. `./generated/api/client.js`.
   */
  readonly client: string;
  /** Module that exports the host's receivers. */
  readonly server: string;
  readonly services: readonly ServiceData[];
}

/** One service. */
export interface ServiceData extends TextData {
  readonly name: string;
  /**
   * Whether the host calls the service on other servers, as it does for
   * webhooks.
   */
  readonly isOutbound?: true;
  /**
   * Function that creates the service's client, or its receiver if the service
   * is outbound.
   */
  readonly create: string;
  /** Key of the service's handler, for receivers. */
  readonly property: string;
  readonly methods: readonly MethodData[];
}

/** One method. */
export interface MethodData extends TextData {
  readonly name: string;
  /** The name in TypeScript. */
  readonly property: string;
  readonly route: RouteData;
  /**
   * `header` of the credentials that the method requires, in the order in which
   * they are checked.
   */
  readonly credentials: readonly string[];
  /**
   * Lists of them. Each call needs one. The last is empty if a call needs none.
   * Absent if all are required.
   */
  readonly alternatives?: readonly (readonly string[])[];
  /**
   * Names of the method's errors. If absent, the method can return any error.
   */
  readonly errors?: readonly string[];
  readonly safety?: "idempotent" | "readonly";
  /** Whether clients must or can send the `Idempotency-Key` header. */
  readonly idempotencyKey?: "optional" | "required";
  /** How clients resume a lost stream. */
  readonly resume?: ResumeData;
  readonly deprecated?: string;
  /** How the method returns pages. */
  readonly paging?: PagingData;
  /** The request. */
  readonly request?: MessageData;
  /** The response. */
  readonly response?: MessageData;
}

/** The cursor of a stream. */
export interface ResumeData {
  /** Request field with the cursor of the last item, e.g. `after`. */
  readonly argument: string;
  /** Names from an item to its cursor, e.g. `["message", "id"]`. */
  readonly cursor: readonly string[];
}

/** How a method returns pages. */
export interface PagingData {
  /** Whether pages have numbers that the client counts. */
  readonly isNumbered?: true;
  /** What links to the next page contain, if there are any. */
  readonly linked?: {
    /** A parameter of the query. */
    readonly parameter: string;
    readonly isNumber?: true;
  };
  /**
   * Path in the request to the struct with the number, or to the token, e.g.
   * `["page", "after"]`.
   */
  readonly asked: readonly string[];
  /** Field of the response with `more`, the next token, or the links. */
  readonly answered: string;
}

/** The route of a method. */
export interface RouteData {
  readonly kind: "rpc" | "rest" | "webhook";
  /** Path with placeholders, e.g. `/{network}/rpc/Marketplace/GetOrders`. */
  readonly path?: string;
  /** HTTP method of a REST method. If absent, it is GET. */
  readonly verb?: string;
  /** The path with the query, if it has one. */
  readonly target?: string;
  /** Query of a REST method, in the order in which it is sent. */
  readonly query?: readonly QueryParameter[];
  /** Headers of a REST method that contain fields. */
  readonly headers?: readonly HeaderField[];
  /**
   * Field of the request that is the whole body, or true if the body is an
   * object of all fields that are in no other part of the request.
   */
  readonly requestBody?: string | true;
  /** The media type of a body. If absent, it is `application/json`. */
  readonly mediaType?: string;
  /** How lists are written if the body is a form. If absent, it is JSON. */
  readonly form?: ListsInForm;
  /** Whether the field that is the whole body is a file. */
  readonly isFile?: true;
  /** Status of a success. If absent, it is 200. */
  readonly status?: number;
  /** Field of the response that is the whole body. */
  readonly body?: string;
  /** Several statuses of a success, and their bodies, in place of both. */
  readonly statuses?: readonly SuccessStatus[];
  /**
   * Value of the header `webhook-event`, if the service has several methods.
   */
  readonly event?: string;
}

/** A request or a response: either a declared struct or a list of fields. */
export interface MessageData {
  readonly struct?: string;
  readonly fields?: readonly FieldData[];
  readonly isStream?: true;
  /**
   * JSON of a typical request with its required fields, or of a typical body or
   * item. Absent if it is an empty object.
   */
  readonly example?: string;
}

/** A field. */
export interface FieldData extends TextData {
  /** The name in JSON. */
  readonly name: string;
  readonly type: TypeReference;
  readonly isOptional?: true;
  readonly isNullable?: true;
  readonly isSensitive?: true;
  /**
   * Whether the field is a map of the members of the JSON object that no other
   * field declares.
   */
  readonly isExtra?: true;
  /** The header of an error that contains the field. */
  readonly header?: string;
  readonly deprecated?: string;
  /** The limits, including those of the aliases of its type. */
  readonly limits?: LimitsData;
}

/** Limits, with values as text so that they are exact. */
export interface LimitsData extends Omit<
  Constraints,
  "enum" | "minimum" | "maximum"
> {
  /** The only values, as users enter them. */
  readonly enum?: readonly string[];
  /**
   * A typical value, unless it is the example or, if there is none, that of the
   * core type without limits.
   */
  readonly sample?: string;
  readonly minimum?: string;
  readonly maximum?: string;
}

/** A declared type. */
export type TypeData = StructData | EnumData | AliasData | UnionData;

/** An object with named fields. */
export interface StructData extends TextData {
  readonly kind: "struct";
  readonly name: string;
  readonly fields: readonly FieldData[];
}

/** A closed set of values. */
export interface EnumData extends TextData {
  readonly kind: "enum";
  readonly name: string;
  readonly members: readonly MemberData[];
}

/** One value of an enum. */
export interface MemberData extends TextData {
  /** The value in JSON. */
  readonly value: string;
  /** The name in the schema, if it differs from the value. */
  readonly name?: string;
}

/** A value of one of several types. */
export interface UnionData extends TextData {
  readonly kind: "union";
  readonly name: string;
  readonly variants: readonly VariantData[];
  /** The field whose value tells the variants apart. */
  readonly tag?: string;
  /** Objects with other tags are valid, too. */
  readonly isOpen?: true;
  /** Fields of which exactly one is present. */
  readonly choice?: readonly string[];
  /** Index of the variant that a form shows first. Default: 0. */
  readonly start?: number;
  readonly title?: string;
}

/** A variant of a union. */
export interface VariantData {
  readonly type: TypeReference;
  /** The tags that mean the variant, or none if the union has no tag. */
  readonly tags: readonly string[];
}

/** Another name for a type. */
export interface AliasData extends TextData {
  readonly kind: "alias";
  readonly name: string;
  readonly type: TypeReference;
  /** The limits, including those of the aliases that it refers to. */
  readonly limits?: LimitsData;
  /** Enum that lists the known values. Other values are possible. */
  readonly known?: string;
  /** Description of a value, e.g. `an address`. */
  readonly title?: string;
  /** Whether null is allowed wherever the alias is used. */
  readonly isNullable?: true;
}

/** An error. */
export interface ErrorData extends TextData {
  readonly name: string;
  readonly code: number;
  readonly message: string;
  /** HTTP status, or `any` if handlers choose it. */
  readonly status: number | "any";
  /** Name of the struct that it carries as its data. */
  readonly data?: string;
}

/** What identifies the caller. */
export interface CredentialData extends TextData {
  readonly name: string;
  /** The header, or how `@auth` names another place, e.g. `?api_key`. */
  readonly header: string;
  /** Where it is sent. Absent if it is a header. */
  readonly place?: "query" | "cookie";
  /** Name of the query parameter or the cookie. */
  readonly parameter?: string;
  readonly scheme?: string;
  readonly error: string;
  /** Option of the generated client. */
  readonly property: string;
}

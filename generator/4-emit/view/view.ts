import type { ContractHistoryView } from "./history-view.js";
import type { PagingView, ResumeView } from "./progress-view.js";
import type {
  DeprecatedView,
  DocsView,
  EnumView,
  FieldView,
  Identifier,
  Literal,
  NameView,
  NamedTypeView,
  StructView,
  TagView,
  TypeView,
} from "./type-view.js";

/** A contract, for the files of a template set. */
export interface ContractView {
  /** Version of the view. It increases when a property changes or is removed. */
  readonly view: 1;
  readonly package: PackageNameView;
  readonly hosts: readonly HostView[];
  /** Declared types, in the order of the contract. */
  readonly types: readonly TypeView[];
  /** The enums among them. */
  readonly enums: readonly EnumView[];
  /** The structs among them. */
  readonly structs: readonly StructView[];
  /** The aliases and unions among them, after those that they refer to. */
  readonly aliases: readonly NamedTypeView[];
  readonly credentials: readonly CredentialView[];
  readonly errors: readonly ErrorView[];
  readonly uses: UsesView;
}

/** A host and the part of the contract that it uses. */
export interface HostContractView {
  /** Version of the view. */
  readonly view: 1;
  readonly package: PackageNameView;
  readonly host: HostView;
  /** Declared types that the host uses. */
  readonly types: readonly TypeView[];
  /** The enums among them. */
  readonly enums: readonly EnumView[];
  /** The structs among them. */
  readonly structs: readonly StructView[];
  /** The aliases and unions among them, after those that they refer to. */
  readonly aliases: readonly NamedTypeView[];
  /** Credentials that the host uses. */
  readonly credentials: readonly CredentialView[];
  /** Errors that the host uses. */
  readonly errors: readonly ErrorView[];
  readonly uses: UsesView;
}

/** What occurs in messages and types, for imports. */
export interface UsesView {
  readonly any: boolean;
  readonly bigint: boolean;
  readonly bytes: boolean;
  readonly file: boolean;
  readonly null: boolean;
  readonly timestamp: boolean;
  /** Whether a method returns a stream. */
  readonly stream: boolean;
  /** Whether a method returns pages. */
  readonly pages: boolean;
  /** Whether a request or response has fields and is no struct. */
  readonly message: boolean;
  readonly union: boolean;
  /** Whether a union is open. */
  readonly open: boolean;
  /** Whether an error carries data, or has a body of the contract. */
  readonly data: boolean;
}

/** What a package of generated code is called. */
export interface PackageNameView {
  /** E.g. `acme-shop` or `example.com/acme/shop`. */
  readonly name: string;
  /** The name in code, e.g. `acme_shop`. */
  readonly identifier: Identifier;
  readonly version: string;
  /**
   * Where a language whose packages have paths imports its runtime from, e.g.
   * `example.com/acme/shop/ridl`.
   */
  readonly runtime: string;
  /**
   * What a language with namespaces calls the package, e.g. `com.acme.shop`.
   * Default: `identifier`.
   */
  readonly namespace: Literal;
}

/** A service host: services with one base address. */
export interface HostView {
  /** Name as in RIDL. */
  readonly name: string;
  /** The name in code. */
  readonly identifier: Identifier;
  /** Path of the document. */
  readonly document: string;
  readonly version: string | null;
  readonly docs: DocsView | null;
  /** E.g. `/{network}/rpc`. */
  readonly basePath: string;
  /** The parameters of the base path. */
  readonly parameters: readonly ParameterView[];
  /** E.g. `https://api.example.com`. */
  readonly baseUrl: string | null;
  readonly services: readonly ServiceView[];
  /** The credentials that its methods accept. */
  readonly credentials: readonly CredentialView[];
  /** The errors that its methods can return. */
  readonly errors: readonly ErrorView[];
  /** The body of its errors, or null if it is webrpc's envelope. */
  readonly errorBody: ErrorBodyView | null;
  /**
   * The header `Webrpc` of clients, e.g. `shop@v1.3.0;AJB3yM`, or null if they
   * send none. Webhooks do not have it.
   */
  readonly contractHeader: string | null;
  /** What its server knows about contracts, or null without `skew`. */
  readonly contractHistory: ContractHistoryView | null;
  /** Core types of the host that JSON represents in another way. */
  readonly unlikeJson: readonly ("bigint" | "timestamp" | "bytes")[];
}

/** A group of methods. */
export interface ServiceView {
  /** Name as in RIDL. It can contain `/`. */
  readonly name: string;
  /** The name in code. */
  readonly identifier: Identifier;
  readonly docs: DocsView | null;
  /** Whether the host calls the methods on receivers of webhooks. */
  readonly isOutbound: boolean;
  /**
   * The name in code of what reads the pages of its methods, or null if none
   * returns pages.
   */
  readonly pages: Identifier | null;
  readonly methods: readonly MethodView[];
  /** Anchor of its heading in `api.md`. */
  readonly anchor: Literal;
}

/** A method of a service. */
export interface MethodView {
  /** Name as in RIDL. */
  readonly name: string;
  /** The name in code. */
  readonly identifier: Identifier;
  /** Name of its service. */
  readonly service: string;
  readonly docs: DocsView | null;
  readonly deprecated: DeprecatedView | null;
  readonly isReadonly: boolean;
  /** Whether its request, response or errors can contain a sensitive field. */
  readonly isSensitive: boolean;
  /** Whether repeating a call has no effect. False if it is read-only. */
  readonly isIdempotent: boolean;
  /** Whether clients must or can send a key that identifies a call. */
  readonly idempotencyKey: "none" | "optional" | "required";
  /** Whether servers leave the method out. */
  readonly isClientOnly: boolean;
  /** How clients resume a lost stream, or null. */
  readonly resume: ResumeView | null;
  /** How the method returns pages, or null. */
  readonly paging: PagingView | null;
  /** The credentials that it accepts. */
  readonly credentials: readonly CredentialView[];
  /**
   * Keys of the credentials, separated by commas. Each call needs all of one text.
   * Empty if all credentials are required.
   */
  readonly alternatives: readonly string[];
  /** Whether a call can also have none of the credentials. */
  readonly hasOptionalCredentials: boolean;
  readonly route: RouteView;
  readonly request: MessageView;
  readonly response: MessageView;
  /** The errors that it can return, or null for a webhook. */
  readonly errors: MethodErrorsView | null;
  /** Anchor of its heading in `api.md`. */
  readonly anchor: Literal;
}

/** A parameter of a base path. */
export interface ParameterView {
  readonly name: string;
  /** The name in code. */
  readonly identifier: Identifier;
}

/** The address of a method. */
export type RouteView = RpcRouteView | RestRouteView | WebhookRouteView;

/** POST with the request as JSON. */
export interface RpcRouteView {
  readonly kind: "rpc";
  readonly path: string;
  /** The parts of the path. */
  readonly segments: readonly SegmentView[];
}

/** A status of a success. */
export interface StatusView {
  /** `201`. */
  readonly status: Literal;
  /** The output that is the whole body, or null if there is no body. */
  readonly body: FieldView | null;
}

/** An HTTP method, a path and a query of its own (`@http`, or `@get`). */
export interface RestRouteView {
  readonly kind: "rest";
  /**
   * Whether it is GET without a query, whose whole request is in the path, with
   * the status 200.
   */
  readonly isPlain: boolean;
  /** HTTP method: `PUT`. */
  readonly verb: Literal;
  /** HTTP status of a success: `201`. With 204 and 205, there is no body. */
  readonly status: Literal;
  /**
   * All statuses of a success with their bodies, if there are several or if the
   * only one has no body although it could have one.
   */
  readonly statuses: readonly StatusView[];
  /** The output that contains one of several statuses, or null. */
  readonly statusOutput: FieldView | null;
  /** The path and the query: `/items/{id}?notify&limit={pageSize}`. */
  readonly target: string;
  /** The whole path, which the base path does not precede: `/items/{id}`. */
  readonly path: string;
  /** The parts of the path. */
  readonly segments: readonly SegmentView[];
  /** The fields in the path that are JSON there, such as numbers. */
  readonly jsonInPath: readonly FieldView[];
  readonly query: readonly QueryView[];
  /** The headers that contain fields. */
  readonly headers: readonly HeaderView[];
  /** The headers that contain outputs. */
  readonly responseHeaders: readonly HeaderView[];
  /**
   * The field that is the whole body of the request. If it is null, the body is
   * an object with the fields that are in no other part; if there are none, there
   * is no body.
   */
  readonly requestBody: FieldView | null;
  /** The fields of the object that is the body of the request. */
  readonly bodyFields: readonly FieldView[];
  /** The media type of a body in JSON, or null if it is `application/json`. */
  readonly mediaType: string | null;
  /**
   * Whether the body of the request is a form in place of JSON:
   * `application/x-www-form-urlencoded`, or `multipart/form-data` if it has files.
   */
  readonly isForm: boolean;
  /** Whether lists in a form are `a[]=1&a[]=2` in place of `a=1&a=2`. */
  readonly hasListBrackets: boolean;
  /** Whether the body of the request has files. */
  readonly hasFiles: boolean;
}

/** A part of a query. */
export interface QueryView {
  readonly name: string;
  /** The field of the request. */
  readonly field: FieldView | null;
  /**
   * Whether a list is one pair, with its items separated by commas, and not one
   * pair for each item.
   */
  readonly isJoined: boolean;
  /** A text that is always sent, if there is no field. */
  readonly value: string | null;
}

/** A header that contains a field of a request, a response or an error. */
export interface HeaderView {
  /** As written: `If-Match`. */
  readonly name: string;
  /** The items of a list are separated by commas. */
  readonly field: FieldView;
  /** Whether the value, or each item of a list, is text in JSON. */
  readonly isText: boolean;
}

/** A part of a path, between slashes. */
export type SegmentView =
  TextSegmentView | ParameterSegmentView | FieldSegmentView;

/** A part that is always the same. */
export interface TextSegmentView {
  readonly kind: "text";
  /** As in a URL: `%20` is a space. A base path can also contain e.g. `ü`. */
  readonly text: string;
}

interface TextAround {
  /** Whether there is no text around the value. */
  readonly isWhole: boolean;
  /** The text before the value, e.g. `v` in `v{id}.json`. */
  readonly prefix: string;
  /** The text after the value. */
  readonly suffix: string;
}

/** A parameter of the base path. */
export interface ParameterSegmentView extends ParameterView, TextAround {
  readonly kind: "parameter";
}

/** A field of the request. The items of a list are separated by commas. */
export interface FieldSegmentView extends TextAround {
  readonly kind: "field";
  readonly field: FieldView;
}

/** POST to an address that the receiver chose. */
export interface WebhookRouteView {
  readonly kind: "webhook";
  /** Name of the event. */
  readonly event: string;
  /** Whether the event's header is necessary to tell methods apart. */
  readonly isOneOfMany: boolean;
}

/** A request, a response, or an item of a stream. */
export interface MessageView {
  /** The name in code: that of the struct, or e.g. `GetBookRequest`. */
  readonly identifier: Identifier;
  /** The struct that is the message, or null if it has arguments. */
  readonly struct: NameView | null;
  /** The arguments, or the fields of the struct. */
  readonly fields: readonly FieldView[];
  /** Whether a field must be present. */
  readonly isRequired: boolean;
  readonly isStream: boolean;
  /** Whether a field is a file. */
  readonly hasFiles: boolean;
  /** Whether all fields are files, and there is one. */
  readonly isOnlyFiles: boolean;
  /**
   * Whether the message is a request that is a form with files
   * (`multipart/form-data`).
   */
  readonly hasParts: boolean;
  /**
   * Whether the message is a form with files, whose other fields are its part
   * `json`.
   */
  readonly hasJsonPart: boolean;
  /** The field that is the entire body, or null. */
  readonly body: FieldView | null;
}

/** What identifies the caller. */
export interface CredentialView {
  /** The alias that declares it. */
  readonly name: string;
  /** The name in code. */
  readonly identifier: Identifier;
  readonly docs: DocsView | null;
  /** How `@auth` names it: a header, `?api_key` or `Cookie:session`. */
  readonly key: string;
  readonly place: "header" | "query" | "cookie";
  /** Name of the header, query parameter or cookie. */
  readonly parameter: string;
  /** Word before the value, e.g. `Bearer`. */
  readonly scheme: string | null;
  /** Error for a missing or rejected credential. */
  readonly error: string;
}

/** The body of the errors of a host. */
export interface ErrorBodyView {
  readonly struct: NameView;
  /** E.g. `application/problem+json`. */
  readonly mediaType: string;
  /** Names of the errors that methods can return if they list none. */
  readonly errors: readonly string[];
  readonly parts: readonly ErrorPartView[];
  /** The members that always have the same value. */
  readonly constants: readonly ErrorConstantView[];
  /** The headers that contain fields of the struct. */
  readonly headers: readonly HeaderView[];
}

/** A part of an error in its body. */
export interface ErrorPartView {
  readonly role: "name" | "code" | "message" | "title" | "status" | "cause";
  /** JSON names from the body to the part. 0 is the first item of a list. */
  readonly path: readonly TagView[];
  /** Values by the names of errors, or none if the value is the part itself. */
  readonly names: readonly ErrorNameView[];
  /** Whether errors that are not in `names` are written with their own names. */
  readonly isOpen: boolean;
  /** Whether a code or a status is text. */
  readonly isText: boolean;
}

/** A required member of a body that has only one valid value. */
export interface ErrorConstantView {
  /** JSON names from the body to the member. 0 is the first item of a list. */
  readonly path: readonly TagView[];
  readonly value: TagView;
}

/** What a body contains as the name of an error. */
export interface ErrorNameView {
  readonly name: string;
  readonly value: string;
}

/** A declared error. */
export interface ErrorView {
  readonly name: string;
  /** The name in code. */
  readonly identifier: Identifier;
  readonly code: number;
  readonly status: number;
  readonly message: string;
  readonly docs: DocsView | null;
  /** Whether handlers choose the status. */
  readonly hasAnyStatus: boolean;
  /**
   * The struct that it carries as its data, or null. If the host's errors have a
   * body, it is the whole body.
   */
  readonly data: NameView | null;
  /** The parts of the error in its data, if that is not the host's usual body. */
  readonly parts: readonly ErrorPartView[];
  /** The members of its data with only one value, if that is not the usual body. */
  readonly constants: readonly ErrorConstantView[];
  /** The headers that contain fields of its data. */
  readonly headers: readonly HeaderView[];
}

/** The errors of a method. */
export type MethodErrorsView = AnyErrorsView | NoErrorsView | SomeErrorsView;

/** The method can return all errors. */
export interface AnyErrorsView {
  readonly kind: "any";
  /** Anchor of the heading `Errors` in `api.md`. */
  readonly anchor: Literal;
}

/** The method only returns built-in errors. */
export interface NoErrorsView {
  readonly kind: "none";
}

/** The method returns errors that the contract lists. */
export interface SomeErrorsView {
  readonly kind: "some";
  readonly names: readonly MethodErrorView[];
}

/** An error that a method can return. */
export interface MethodErrorView {
  readonly name: string;
  /** The name in code. */
  readonly identifier: Identifier;
  /** HTTP status, or null for built-in errors and if handlers choose it. */
  readonly status: number | null;
  /** Anchor of the heading `Errors` in `api.md`. */
  readonly anchor: Literal;
}

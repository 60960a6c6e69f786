import type { ScalarName } from "../../ir/contract.js";

/** A name: a letter or `_`, then letters, digits and `_`. */
export type Identifier = string;

/** Text that ridlkit wrote, e.g. code, which templates print as it is. */
export type Literal = string;

/** A contract, for the files of a template set. */
export interface ContractView {
  /** Version of the view. It increases when a property changes or is removed. */
  readonly view: 1;
  readonly hosts: readonly HostView[];
  /** Declared types, in the order of the contract. */
  readonly types: readonly TypeView[];
  readonly credentials: readonly CredentialView[];
  readonly errors: readonly ErrorView[];
}

/** A host and the part of the contract that it uses. */
export interface HostContractView {
  /** Version of the view. */
  readonly view: 1;
  readonly host: HostView;
  /** Declared types that the host uses. */
  readonly types: readonly TypeView[];
  /** Credentials that the host uses. */
  readonly credentials: readonly CredentialView[];
  /** Errors that the host uses. */
  readonly errors: readonly ErrorView[];
}

/** A service host: services with one base address. */
export interface HostView {
  /** Name as in RIDL. */
  readonly name: string;
  /** Path of the document. */
  readonly document: string;
  readonly version: string | null;
  readonly docs: DocsView | null;
  /** E.g. `/{network}/rpc`. */
  readonly basePath: string;
  /** E.g. `https://api.example.com`. */
  readonly baseUrl: string | null;
  readonly services: readonly ServiceView[];
  /** Core types of the host that JSON represents in another way. */
  readonly unlikeJson: readonly ("bigint" | "timestamp" | "bytes")[];
}

/** A doc comment that contains text. */
export interface DocsView {
  readonly lines: readonly string[];
}

/** A group of methods. */
export interface ServiceView {
  /** Name as in RIDL. It can contain `/`. */
  readonly name: string;
  readonly docs: DocsView | null;
  /** Whether the host calls the methods on receivers of webhooks. */
  readonly isOutbound: boolean;
  readonly methods: readonly MethodView[];
  /** Anchor of its heading in `api.md`. */
  readonly anchor: Literal;
}

/** A method of a service. */
export interface MethodView {
  /** Name as in RIDL. */
  readonly name: string;
  /** Name of its service. */
  readonly service: string;
  readonly docs: DocsView | null;
  readonly deprecated: DeprecatedView | null;
  readonly isReadonly: boolean;
  /** Whether repeating a call has no effect. False if it is read-only. */
  readonly isIdempotent: boolean;
  /** Headers of the required credentials. */
  readonly credentials: readonly string[];
  readonly route: RouteView;
  readonly request: MessageView;
  readonly response: MessageView;
  /** The errors that it can return, or null for a webhook. */
  readonly errors: MethodErrorsView | null;
  /** Anchor of its heading in `api.md`. */
  readonly anchor: Literal;
}

/** The text of `@deprecated`. */
export interface DeprecatedView {
  readonly hasReason: boolean;
  /** Empty if there is none. */
  readonly reason: string;
}

/** The address of a method. */
export type RouteView = RpcRouteView | RestRouteView | WebhookRouteView;

/** POST with the request as JSON. */
export interface RpcRouteView {
  readonly kind: "rpc";
  readonly path: string;
}

/** GET with the fields of the request in the path. */
export interface RestRouteView {
  readonly kind: "rest";
  /** Path below the base path, e.g. `/items/{id}`. */
  readonly path: string;
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
  /** The struct that is the message, or null if it has arguments. */
  readonly struct: NameView | null;
  /** The arguments, or the fields of the struct. */
  readonly fields: readonly FieldView[];
  readonly isStream: boolean;
  /** Whether a field is a file. */
  readonly hasFiles: boolean;
  /** Whether all fields are files, and there is one. */
  readonly isOnlyFiles: boolean;
  /** The field that is the entire body, or null. */
  readonly bodyField: string | null;
}

/** Name of a declared type. */
export interface NameView {
  readonly name: string;
  /** Anchor of its heading in `api.md`. */
  readonly anchor: Literal;
}

/** A member of a struct, or an argument. */
export interface FieldView {
  /** Name as in RIDL. */
  readonly name: string;
  /** Name of the property in JSON. */
  readonly jsonName: string;
  readonly docs: DocsView | null;
  readonly type: ValueView;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
  readonly isSensitive: boolean;
  readonly deprecated: DeprecatedView | null;
  /** The field's own limits and properties, for lists in prose. */
  readonly facts: readonly FactView[];
  /** All limits, those of aliases included. */
  readonly limits: readonly LimitFactView[];
}

/** A fact about a field. */
export type FactView =
  LimitFactView | NullableFactView | SensitiveFactView | DeprecatedFactView;

/** A limit on a value. */
export interface LimitFactView {
  readonly kind: "limit";
  /** Name as in JSON Schema, e.g. `maxLength`. */
  readonly name: Identifier;
  /** The value as text, e.g. `40`. */
  readonly value: string;
}

/** The value can be null. */
export interface NullableFactView {
  readonly kind: "nullable";
}

/** The value is never part of an error message. */
export interface SensitiveFactView {
  readonly kind: "sensitive";
}

/** The field is deprecated. */
export interface DeprecatedFactView {
  readonly kind: "deprecated";
  readonly hasReason: boolean;
  /** Empty if there is none. */
  readonly reason: string;
}

/** What a type accepts, with its aliases resolved. */
export type ValueView =
  ScalarView | BytesView | EnumValueView | StructValueView | ListView | MapView;

/** What all values have. */
interface ValueFacts {
  /** The declared type that the schema names here, or null. */
  readonly declared: NameView | null;
}

/** A value of a core type. */
export interface ScalarView extends ValueFacts {
  readonly kind: "scalar";
  /** The core type. */
  readonly scalar: ScalarName;
  /** Name of the enum with its known values, or null. */
  readonly known: NameView | null;
}

/** A list of bytes, which is base64 text in JSON. */
export interface BytesView extends ValueFacts {
  readonly kind: "bytes";
  /** The type of a byte, as written. */
  readonly element: ValueView;
}

/** A value of an enum. */
export interface EnumValueView extends ValueFacts {
  readonly kind: "enum";
  readonly enum: NameView;
}

/** An object with the fields of a struct. */
export interface StructValueView extends ValueFacts {
  readonly kind: "struct";
  readonly struct: NameView;
}

/** An array. */
export interface ListView extends ValueFacts {
  readonly kind: "list";
  readonly element: ValueView;
}

/** An object with any keys. */
export interface MapView extends ValueFacts {
  readonly kind: "map";
  readonly key: ValueView;
  readonly value: ValueView;
}

/** A declared type. */
export type TypeView = StructView | EnumView | AliasView;

/** What all declared types have. */
interface DeclarationFacts {
  readonly name: string;
  readonly docs: DocsView | null;
  /** Anchor of its heading in `api.md`. */
  readonly anchor: Literal;
}

/** An object with named fields. */
export interface StructView extends DeclarationFacts {
  readonly kind: "struct";
  readonly fields: readonly FieldView[];
}

/** A closed set of values. */
export interface EnumView extends DeclarationFacts {
  readonly kind: "enum";
  readonly members: readonly EnumMemberView[];
}

/** One value of an enum. */
export interface EnumMemberView {
  readonly name: string;
  /** The value in JSON. */
  readonly jsonValue: string;
  readonly docs: DocsView | null;
}

/** Another name for a type. */
export interface AliasView extends DeclarationFacts {
  readonly kind: "alias";
  /** The type that it refers to. */
  readonly type: ValueView;
  /** Limits that the alias adds. */
  readonly limits: readonly LimitFactView[];
  /** Whether requests can also contain an integer. */
  readonly acceptsInteger: boolean;
  /** The enum with its known values, or null. */
  readonly known: NameView | null;
}

/** A header that identifies the caller. */
export interface CredentialView {
  /** The alias that declares it. */
  readonly name: string;
  readonly docs: DocsView | null;
  readonly header: string;
  /** Word before the value, e.g. `Bearer`. */
  readonly scheme: string | null;
  /** Error for a missing or rejected credential. */
  readonly error: string;
}

/** A declared error. */
export interface ErrorView {
  readonly name: string;
  readonly code: number;
  readonly status: number;
  readonly message: string;
  readonly docs: DocsView | null;
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
  /** HTTP status, or null for built-in errors. */
  readonly status: number | null;
  /** Anchor of the heading `Errors` in `api.md`. */
  readonly anchor: Literal;
}

import type { ErrorView } from "./view.js";
import type { DeprecatedView, DocsView, Literal } from "./type-view.js";

/** A package of a client, for its README and its skill. */
export interface PackageView {
  /** Version of the view. */
  readonly view: 1;
  /** Name of the package. */
  readonly name: Literal;
  /** Paths of the documents. */
  readonly documents: string;
  /** The doc comments of the hosts. */
  readonly abouts: readonly DocsView[];
  /** TypeScript that creates a client. */
  readonly quickStart: Literal;
  readonly entryPoints: readonly EntryPointView[];
  /** Entry points of `@ridlkit/runtime` that users need, e.g. `errors`. */
  readonly runtimeEntries: readonly (
    | "client"
    | "errors"
    | "file-data"
    | "interceptors"
    | "node"
    | "sign-webhooks"
    | "stream"
    | "transfer"
  )[];
  readonly credentials: readonly CredentialOptionView[];
  readonly services: readonly ClientServiceView[];
  readonly receivers: readonly ReceiverView[];
  readonly errors: readonly ErrorView[];
  readonly hasStreams: boolean;
  readonly skill: SkillView;
}

/**
 * What an agent needs before it reads the README. Its size does not depend on
 * the number of methods.
 */
export interface SkillView {
  /** A name in the Agent Skills format, e.g. `shop-client`. */
  readonly name: Literal;
  /** The first services. */
  readonly services: readonly SkillServiceView[];
  readonly hasMoreServices: boolean;
}

/** A service in a skill. */
export interface SkillServiceView {
  readonly name: string;
  /** Its first line, if that is short. */
  readonly docs: DocsView | null;
  /** Path of its first method, e.g. `shop.getBook`. */
  readonly example: string;
  readonly methodCount: number;
}

/** A module that users import. */
export type EntryPointView = PartEntryView | WebhooksEntryView | HostEntryView;

/** A module of a target. */
export interface PartEntryView {
  readonly kind: "part";
  readonly path: string;
  /** Its content in Markdown, e.g. `all clients and types`. */
  readonly content: Literal;
}

/** A module with receivers of webhooks. */
export interface WebhooksEntryView {
  readonly kind: "webhooks";
  readonly path: string;
}

/** A module with the part of one host. */
export interface HostEntryView {
  readonly kind: "host";
  readonly path: string;
  /** The path in the package, e.g. `marketplace`. */
  readonly host: string;
}

/** A credential that clients take. */
export interface CredentialOptionView {
  /** The property of `credentials`. */
  readonly option: string;
  readonly docs: DocsView | null;
  /** How `@auth` names it: a header, `?api_key` or `Cookie:session`. */
  readonly key: string;
  readonly scheme: string | null;
}

/** A service of a client. */
export interface ClientServiceView {
  readonly name: string;
  readonly docs: DocsView | null;
  readonly methods: readonly ClientMethodView[];
}

/** A method of a client. */
export interface ClientMethodView {
  /** Path of the method, e.g. `shop.getBook`. */
  readonly path: string;
  readonly docs: DocsView | null;
  readonly deprecated: DeprecatedView | null;
  /** A call in TypeScript. */
  readonly example: Literal;
  readonly request: readonly ClientFieldView[];
  readonly response: readonly ClientFieldView[];
  readonly isStream: boolean;
  readonly credentials: readonly string[];
  /** As in the view of a contract. */
  readonly alternatives: readonly string[];
  /** Whether a call can also have none of the credentials. */
  readonly hasOptionalCredentials: boolean;
  readonly isReadonly: boolean;
  /** Whether repeating a call has no effect. False if it is read-only. */
  readonly isIdempotent: boolean;
  /** Whether clients send a key, so that repeating a call has no effect. */
  readonly hasKey: boolean;
  /** Whether the method can return all errors, and there are some. */
  readonly hasAnyError: boolean;
  /** Names of the errors that it can return. */
  readonly errors: readonly string[];
}

/** A field of a message in TypeScript. */
export interface ClientFieldView {
  readonly name: string;
  /** Its type in TypeScript. */
  readonly type: string;
  readonly isOptional: boolean;
  readonly docs: DocsView | null;
}

/** A service whose webhooks a program can receive. */
export interface ReceiverView {
  readonly name: string;
  readonly docs: DocsView | null;
  /** TypeScript that creates a receiver. */
  readonly example: Literal;
}

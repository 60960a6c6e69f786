import type { Constraints, TypeReference } from "../../ir/contract.js";

export type { ScalarName, TypeReference } from "../../ir/contract.js";

/** Where the page is in the output. */
export const explorerPage = "explorer/index.html";

/**
 * The data in the explorer's page: the contract as far as people and callers
 * see it, with names of the generated client. Plain JSON; what is absent or
 * false is left out. `explorer/`, which shows it, imports its types from here.
 */
export interface ExplorerData {
  readonly title: string;
  readonly hosts: readonly HostData[];
  readonly types: readonly TypeData[];
  /** Declared errors by code, then the built-in ones. */
  readonly errors: readonly ErrorData[];
  readonly credentials: readonly CredentialData[];
  /** First values of parameters of addresses: name and value. */
  readonly parameters: readonly (readonly [string, string])[];
  /** TypeScript type of 64-bit integers that exceed 2^53-1. */
  readonly int64: "number" | "bigint";
  /** TypeScript type of `timestamp`. */
  readonly timestamp: "string" | "date";
}

/** What people are told of a declaration. */
export interface TextData {
  /** Lines of the doc comment, joined. */
  readonly docs?: string;
  /** E.g. `stated 4.4`. */
  readonly origins?: readonly string[];
}

/** One service host. */
export interface HostData extends TextData {
  readonly name: string;
  readonly version?: string;
  /**
   * `https://…`, or a path on the server that the page comes from; absent:
   * that server itself.
   */
  readonly address?: string;
  /** Names of the parameters of its base path, which its client asks for. */
  readonly parameters?: readonly string[];
  /** Where its client is imported from, e.g. `./generated/api/client.js`. */
  readonly client: string;
  /** Where its receivers are imported from. */
  readonly server: string;
  readonly services: readonly ServiceData[];
}

/** One service. */
export interface ServiceData extends TextData {
  readonly name: string;
  /** Calls that the host makes to others. */
  readonly isOutbound?: true;
  /** Function that makes its client, or its receiver where it is outbound. */
  readonly create: string;
  /** Key of its handler, for receivers. */
  readonly property: string;
  readonly methods: readonly MethodData[];
}

/** One method. */
export interface MethodData extends TextData {
  readonly name: string;
  /** Its name in TypeScript. */
  readonly property: string;
  readonly route: RouteData;
  /** Headers of the credentials that it needs, in the order they are checked. */
  readonly credentials: readonly string[];
  /** Names of its errors; absent: any. */
  readonly errors?: readonly string[];
  readonly safety?: "idempotent" | "readonly";
  readonly deprecated?: string;
  /** Absent: without fields. */
  readonly request?: MessageData;
  /** Absent: without fields. */
  readonly response?: MessageData;
}

/** How a method is reached. */
export interface RouteData {
  readonly kind: "rpc" | "rest" | "webhook";
  /** With placeholders, e.g. `/{network}/rpc/Marketplace/GetOrders`. */
  readonly path?: string;
  /** Field of the response that is the whole body. */
  readonly body?: string;
  /** Value of the header `webhook-event`, where the service has several. */
  readonly event?: string;
}

/** A request or a response: a declared struct, or fields. */
export interface MessageData {
  readonly struct?: string;
  readonly fields?: readonly FieldData[];
  readonly isStream?: true;
}

/** A field. */
export interface FieldData extends TextData {
  /** On the wire. */
  readonly name: string;
  readonly type: TypeReference;
  readonly isOptional?: true;
  readonly isNullable?: true;
  readonly isSensitive?: true;
  readonly deprecated?: string;
  /** Those of its aliases included. */
  readonly limits?: LimitsData;
}

/** Limits, numbers without rounding. */
export interface LimitsData extends Omit<Constraints, "minimum" | "maximum"> {
  readonly minimum?: string;
  readonly maximum?: string;
}

/** A declared type. */
export type TypeData = StructData | EnumData | AliasData;

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
  /** On the wire. */
  readonly value: string;
  /** In the schema, where that is another. */
  readonly name?: string;
}

/** Another name for a type. */
export interface AliasData extends TextData {
  readonly kind: "alias";
  readonly name: string;
  readonly type: TypeReference;
  /** Those of the aliases behind it included. */
  readonly limits?: LimitsData;
  /** Enum of its known values; others may appear. */
  readonly known?: string;
  /** What a value is called, e.g. `an address`. */
  readonly title?: string;
}

/** An error. */
export interface ErrorData extends TextData {
  readonly name: string;
  readonly code: number;
  readonly message: string;
  readonly status: number;
}

/** A header that says who is calling. */
export interface CredentialData extends TextData {
  readonly name: string;
  readonly header: string;
  readonly scheme?: string;
  readonly error: string;
  /** Option of the generated client. */
  readonly property: string;
}

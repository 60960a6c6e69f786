import type { RequestContext } from "./context.js";
import type { RequestLimits } from "./body-pace.js";
import type { Eventually } from "./eventually.js";
import type { ServerRequest } from "./exchange.js";
import type { Refusal, Skew } from "./refusal.js";
import type { ErrorMember } from "../../wire/error-member.js";
import type { ErrorDefinition } from "../../wire/errors.js";
import type { Check } from "../../values/validation.js";

/**
 * Describes how to reach a method. Path parameters are in braces, e.g.
 * `/{network}/rpc/…`.
 */
export type ServerRoute =
  /** POST to this path. With `readsByGet`, read-only methods also allow GET. */
  | {
      readonly kind: "rpc";
      readonly path: string;
      /** Reads a form with files. Default: the body is the message in JSON. */
      readonly read?: (row: ServerMethod) => ReadRequest;
    }
  /** An address of its own, whose parameters fill the fields of the request. */
  | RestRoute
  /** POST to any path. All methods of the server must be webhooks. */
  | {
      readonly kind: "webhook";
      /** Whether the method receives messages whatever their event. */
      readonly isAnyEvent?: boolean;
    };

/** The address of a method that has its own verb and path. */
export interface RestRoute {
  readonly kind: "rest";
  /** Reads the requests. Bundles contain only the readers that rows name. */
  readonly read: CreateReader;
  /** The HTTP method. Default: GET. */
  readonly verb?: string;
  readonly path: string;
  /**
   * Fields outside the body that are lists: items with commas, but one pair each
   * in the query, except in `joined`.
   */
  readonly lists?: readonly string[];
  /** Fields outside the body that are read as JSON: numbers and booleans. */
  readonly json?: readonly string[];
  /** Fields by their names in the query. */
  readonly query?: Readonly<Record<string, string>>;
  /** Names in the query of lists whose items are separated by commas. */
  readonly joined?: readonly string[];
  /** Fields by the lowercase names of their headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Required lists of the query and headers, which are empty if absent. */
  readonly emptyLists?: readonly string[];
  /**
   * The request field that makes up the body, or true if the body is an object
   * of all fields that are in no other part of the request. Default: no body.
   */
  readonly requestBody?: string | true;
  /** The media type of the body, or `*` for any. Default: `application/json`. */
  readonly mediaType?: string;
  /** Status of a success. With 204 and 205, there is no body. Default: 200. */
  readonly status?: number;
  /**
   * The response field that is the body with each status of a success, or null
   * if there is no body, in place of `status` and `body`. Every other field is a
   * header or the `statusField`.
   */
  readonly statuses?: Readonly<Record<number, string | null>>;
  /** The response field that contains the status. */
  readonly statusField?: string;
  /**
   * Response fields by the lowercase names of their headers. If there are any,
   * `body` is the only other field, or null if there is none.
   */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** The response field that is the body, or null for the whole response. */
  readonly body: string | null;
}

/** A request message. */
export interface ReadMessage {
  readonly message: unknown;
  /**
   * The message as it was sent, in a text that is equal for equal JSON. Only for
   * methods with `@idempotencyKey`.
   */
  readonly sent?: string | undefined;
}

/** A request message, or the reason why there is none. */
export type MessageResult = Refusal | ReadMessage;

/**
 * Returns the message of a request in the handler's form, or a refusal.
 *
 * Input: `values` are those of the path, still percent-encoded.
 */
export type ReadRequest = (
  values: readonly string[],
  request: ServerRequest,
  limits: RequestLimits,
) => Eventually<MessageResult>;

/**
 * Returns the function that reads the requests of a method with an address.
 *
 * Input: `parameters` are the names in the path, in its order.
 */
export type CreateReader = (
  row: ServerMethod,
  route: RestRoute,
  parameters: readonly string[],
) => ReadRequest;

/**
 * How to read the pairs of an `application/x-www-form-urlencoded` body, or the parts
 * of a `multipart/form-data` body if the request has files.
 */
export interface FormBody extends FormStruct {
  /** The structs and unions that `fields` refer to, by name. */
  readonly types?: Readonly<Record<string, FormStruct | FormUnion>>;
}

/** A struct in a form, or a message. */
export interface FormStruct {
  /** The declared fields by their names on the wire. */
  readonly fields: Readonly<Record<string, FormValue>>;
  /** Required lists, maps, and structs, which are empty without pairs. */
  readonly filled?: readonly string[];
  /** The values of other members, if they are kept. */
  readonly extra?: FormValue;
}

/** A union in a form: a text, or one of several structs or maps. */
export interface FormUnion {
  /** The values that are no objects. Default: there are none. */
  readonly scalar?: "text" | "json";
  /** The field that tells objects apart. Default: the fields that exist. */
  readonly tag?: string;
  /** The objects, in the order in which they are tried. */
  readonly variants: readonly FormVariant[];
}

/** An object in a union. */
export interface FormVariant {
  /** The values of the tag. */
  readonly tags?: readonly string[];
  /** Without a tag: the fields that the object has. Default: any. */
  readonly marks?: readonly string[];
  readonly value: FormValue;
}

/** A value in a form: a scalar, list, map, or the name of a struct or union. */
export type FormValue =
  | FormScalar
  | { readonly list: FormValue }
  | { readonly map: FormValue }
  | { readonly type: string };

/** A text, a number or a boolean (`json`), or a file. */
export type FormScalar = "text" | "json" | "file";

/** A required credential and the function that verifies its value. */
export interface CredentialRule {
  /**
   * Name of the header, e.g. `Authorization`, or `?` and the name of a parameter
   * of the query.
   */
  readonly header: string;
  /** Name of the cookie, if the header is `Cookie`. Default: the whole header. */
  readonly cookie?: string;
  /** Word before the value in any case, e.g. `Bearer`, or null. */
  readonly scheme: string | null;
  /** Returns what the verifier gets, or null. Default: the value. */
  readonly read?: (value: string) => object | null;
  /** The error if the credential is missing or rejected. */
  readonly error: ErrorDefinition;
  /** Name of the server option with the verifier, e.g. `verifyAccessKey`. */
  readonly verify: string;
}

/** The fields of a request that are files. */
export interface UploadFields {
  /** Fields that contain one file. */
  readonly files?: readonly string[];
  /** Fields that contain a list of files. */
  readonly fileLists?: readonly string[];
}

/** How a server checks and sends the data of an error. */
export interface ErrorData {
  /** Validates the data in its JSON form. */
  readonly check: Check;
  // These are methods, so functions with the data's own type are assignable.
  /** Returns a copy of the data in its JSON form. */
  encode?(data: unknown): unknown;
  /** Prints the declared fields of valid data in its JSON form. */
  print(data: unknown): string;
  /** The members that the server fills in. Default: none. */
  readonly members?: readonly ErrorMember[];
  /**
   * Members that are in headers of the response instead of the JSON object, by
   * the lowercase names of the headers. Default: none.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The body of errors, in place of webrpc's envelope. */
export interface ErrorBody extends ErrorData {
  /** Media type of the body, e.g. `application/problem+json`. */
  readonly mediaType: string;
}

/** One row of a generated method table. */
export interface ServerMethod {
  /** Names in RIDL. */
  readonly service: string;
  readonly name: string;
  /** Location of the handler: `options.handlers[service][method]`. */
  readonly handler: readonly [service: string, method: string];
  readonly route: ServerRoute;
  /** Whether the method is `@readonly`. If so, `readsByGet` allows GET. */
  readonly isReadonly?: true;
  /** Whether clients send `Idempotency-Key`. Default: it is ignored. */
  readonly idempotencyKey?: "optional" | "required";
  /** Name in RIDL, for keys in a store that several hosts share. */
  readonly host?: string;
  /**
   * Whether integers beyond ±(2^53-1) in the request are read as `bigint`.
   * Other requests have no field that is read as a `bigint`.
   */
  readonly isExact?: true;
  /** Whether the handler returns a stream, as an async iterable. */
  readonly isStream?: true;
  /**
   * Fields of a `multipart/form-data` request that are files or, for a REST method
   * without a form, the field that is the whole body.
   */
  readonly upload?: UploadFields;
  /** The response field that is a file and is sent as the whole body. */
  readonly download?: string;
  /** Credentials in their order. Without alternatives, all are required. */
  readonly credentials: readonly CredentialRule[];
  /**
   * Lists of credentials. Those of the first list that a request contains are
   * verified, and others are ignored. The last is empty if a call needs none.
   */
  readonly alternatives?: readonly (readonly CredentialRule[])[];
  /** Null if there are no fields: `null`, any object, or no body is valid. */
  readonly checkRequest: Check | null;
  /** Null if there are no fields: `undefined` means `{}`. */
  readonly checkResponse: Check | null;
  // These are methods, so functions with the message's own type are assignable.
  /** Converts a valid request from its JSON form, possibly in place. */
  decodeRequest?(value: unknown): unknown;
  /** Returns a copy of a response in its JSON form. */
  encodeResponse?(value: unknown): unknown;
  /** Prints the declared fields of a valid response. Default: all fields. */
  printResponse?(value: unknown): string;
  /** Prints the fields that are the bodies of several statuses, as above. */
  readonly printBodies?: Readonly<
    Record<string, NonNullable<ServerMethod["printResponse"]>>
  >;
  /**
   * Names of the declared errors. Any other error that the handler passes on
   * from a client becomes an internal error.
   */
  readonly errors?: readonly string[];
  /** The data that errors carry, by the names of the errors. */
  readonly errorData?: Readonly<Record<string, ErrorData>>;
  /**
   * The body of errors that are not in `errorData`. Errors that are in it have
   * their data as their body. It is the same for all methods of a server.
   * Default: all errors have webrpc's envelope.
   */
  readonly errorBody?: ErrorBody;
  /**
   * What the server knows about the contracts of its clients. It is the same for
   * all methods of a server. Default: nothing.
   */
  readonly skew?: Skew;
  /** The error for a request that violates the contract. */
  readonly validationError: ErrorDefinition;
}

/**
 * Verifies a credential. Only `true` accepts the request. An `RpcError` that is
 * thrown replaces the credential's own.
 */
export type Verify<State = undefined, Value = string> = (
  value: Value,
  context: RequestContext<State>,
) => boolean | Promise<boolean>;

/** Handles the calls of a method. */
export type Handler<State = undefined> = (
  request: unknown,
  context: RequestContext<State>,
) => unknown;

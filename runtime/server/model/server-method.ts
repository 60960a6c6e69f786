import type { RequestContext } from "./context.js";
import type { ErrorDefinition } from "../../wire/errors.js";
import type { Check } from "../../values/validation.js";

/**
 * How a method is reached. Path parameters are in braces, e.g.
 * `/{network}/rpc/…`.
 */
export type ServerRoute =
  /** POST to exactly this path. */
  | { readonly kind: "rpc"; readonly path: string }
  /** GET whose path parameters fill the fields of the request. */
  | {
      readonly kind: "rest";
      readonly path: string;
      /** Parameters that fill list fields. Commas separate their items. */
      readonly lists?: readonly string[];
      /**
       * Parameters whose value or items are numbers or booleans, which are read
       * as JSON. The validator reports text that is neither.
       */
      readonly json?: readonly string[];
      /** The response field that is the whole body; null if the message is. */
      readonly body: string | null;
    }
  /** POST to any path. Such a method must be the only one on its server. */
  | { readonly kind: "webhook" };

/** A required header, and the function that verifies its value. */
export interface CredentialRule {
  /** Name of the header, e.g. `Authorization`. */
  readonly header: string;
  /** Case-insensitive word before the value, e.g. `Bearer`; null for none. */
  readonly scheme: string | null;
  /** The error if the header is missing or its value is refused. */
  readonly error: ErrorDefinition;
  /** Name of the server option with the verifier, e.g. `verifyAccessKey`. */
  readonly verify: string;
}

/** Which fields of a request are files. */
export interface UploadFields {
  /** Fields that are one file. */
  readonly files?: readonly string[];
  /** Fields that are a list of files. */
  readonly fileLists?: readonly string[];
}

/** One row of a generated method table. */
export interface ServerMethod {
  /** Name of the service in RIDL. */
  readonly service: string;
  /** Name of the method in RIDL. */
  readonly name: string;
  /** Location of the handler: `options.handlers[service][method]`. */
  readonly handler: readonly [service: string, method: string];
  readonly route: ServerRoute;
  /** Whether the method changes nothing and can be called with GET. */
  readonly isReadonly?: true;
  /**
   * Whether integers of the request beyond ±(2^53-1) are read as `bigint`.
   * Other requests have no fields that can hold them.
   */
  readonly isExact?: true;
  /**
   * Whether the response is a stream, which the handler returns as an async
   * iterable.
   */
  readonly isStream?: true;
  /** Fields of a `multipart/form-data` request that are files. */
  readonly upload?: UploadFields;
  /** The response field that is a file and is sent as the whole body. */
  readonly download?: string;
  /** Credentials in the order in which they are verified. */
  readonly credentials: readonly CredentialRule[];
  /**
   * Null if the request has no fields. `null`, any object, and an empty body
   * are then valid.
   */
  readonly checkRequest: Check | null;
  /** Null if the response has no fields. `undefined` then means `{}`. */
  readonly checkResponse: Check | null;
  // Written as methods, so that functions of the message's own type fit.
  /**
   * Converts a valid request from its JSON form, and may change it in place.
   */
  decodeRequest?(value: unknown): unknown;
  /** Converts a response to a copy in its JSON form. */
  encodeResponse?(value: unknown): unknown;
  /**
   * Prints a valid response, in its JSON form, with its declared fields. Null
   * means an absent field. If it is missing, all fields are printed.
   */
  printResponse?(value: unknown): string;
  /**
   * Names of the declared errors. If a handler passes on any other error
   * that a client threw, the response is an internal error.
   */
  readonly errors?: readonly string[];
  /** The error if the request violates the contract. */
  readonly validationError: ErrorDefinition;
}

/**
 * Verifies a credential. The request is only accepted if it returns `true`. An
 * `RpcError` that it throws replaces the credential's own error.
 */
export type Verify<State = undefined> = (
  value: string,
  context: RequestContext<State>,
) => boolean | Promise<boolean>;

/** Handles the calls of a method. */
export type Handler<State = undefined> = (
  request: unknown,
  context: RequestContext<State>,
) => unknown;

import type { RequestContext } from "./context.js";
import type { ErrorDefinition } from "../../wire/errors.js";
import type { Check } from "../../values/validation.js";

/** How a method is reached. Paths name their parameters: `/{network}/rpc/…`. */
export type ServerRoute =
  /** POST to exactly this path. */
  | { readonly kind: "rpc"; readonly path: string }
  /** GET whose path parameters fill the fields of the request. */
  | {
      readonly kind: "rest";
      readonly path: string;
      /** Parameters that fill list fields: their elements stand between commas. */
      readonly lists?: readonly string[];
      /**
       * Parameters whose value (or element) is a number or a boolean: read as
       * JSON. Text that is neither stays text, for the validator to report.
       */
      readonly json?: readonly string[];
      /** Output field that is the whole body; null: the message is the body. */
      readonly body: string | null;
    }
  /** POST to any path. Such a method is alone on its server. */
  | { readonly kind: "webhook" };

/** A header that must be there, and the function that judges its value. */
export interface CredentialRule {
  /** Header as written, e.g. `Authorization`. */
  readonly header: string;
  /** Word before the value, e.g. `Bearer`, whatever its case; null: none. */
  readonly scheme: string | null;
  /** Answers when the header is missing or the value is refused. */
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
  /** Service as in RIDL. */
  readonly service: string;
  /** Method as in RIDL. */
  readonly name: string;
  /** Where its handler is: `options.handlers[service][method]`. */
  readonly handler: readonly [service: string, method: string];
  readonly route: ServerRoute;
  /** Whether calling it changes nothing, so that it may be read by GET. */
  readonly isReadonly?: true;
  /**
   * Whether integers of the request beyond ±(2^53-1) are read as `bigint`. In
   * other requests no field can hold them, and `any` never gets one.
   */
  readonly isExact?: true;
  /** Whether it answers one response after the other, by an async iterable. */
  readonly isStream?: true;
  /** Such a request is `multipart/form-data`. */
  readonly upload?: UploadFields;
  /** Field of the response that is a file: the whole body. */
  readonly download?: string;
  /** In the order in which they are checked. */
  readonly credentials: readonly CredentialRule[];
  /**
   * null: the request has no fields, so that `null`, any object and an empty
   * body are accepted.
   */
  readonly checkRequest: Check | null;
  /** null: the response has no fields, so that `undefined` stands for `{}`. */
  readonly checkResponse: Check | null;
  // Written as methods, so that functions of the message's own type fit.
  /** Wire form (validated, may be changed in place) to the handler's form. */
  decodeRequest?(value: unknown): unknown;
  /** The handler's form to a copy in wire form, where these differ. */
  encodeResponse?(value: unknown): unknown;
  /**
   * JSON of the body that a response makes, with the fields that the contract
   * knows. Its message is in wire form and has passed its check; null stands for
   * absent fields. Without it, all of a message is known.
   */
  printResponse?(value: unknown): string;
  /**
   * Names of the errors that it declares. Of what another service's client raises
   * in a handler, only these are answered; anything else is an internal error.
   */
  readonly errors?: readonly string[];
  /** Answers a request whose fields do not fit. */
  readonly validationError: ErrorDefinition;
}

/**
 * Judges a credential. Only `true` lets the request pass; an `RpcError` that it
 * throws is the answer instead of the credential's own.
 */
export type Verify<State = undefined> = (
  value: string,
  context: RequestContext<State>,
) => boolean | Promise<boolean>;

/** What the host does for a method. */
export type Handler<State = undefined> = (
  request: unknown,
  context: RequestContext<State>,
) => unknown;

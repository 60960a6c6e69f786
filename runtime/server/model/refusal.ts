import type { ErrorDefinition } from "../../wire/errors.js";
import type { Failure } from "../../values/validation.js";

const none: readonly Failure[] = [];

/**
 * The error for a request that never reaches a handler. It is returned instead
 * of thrown and does not extend `Error`: throwing an `Error` takes longer than
 * handling a small call, and anyone can send invalid requests.
 */
export class Refusal implements ErrorDefinition {
  readonly name: string;
  readonly code: number;
  readonly message: string;
  readonly status: number;
  /** A description of the problem. */
  readonly cause: string | undefined;
  /** The invalid fields, if they are the reason. */
  readonly failures: readonly Failure[];
  /** Additional headers of the response. */
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(
    definition: ErrorDefinition,
    cause?: string,
    failures: readonly Failure[] = none,
    headers?: Readonly<Record<string, string>>,
  ) {
    this.name = definition.name;
    this.code = definition.code;
    this.message = definition.message;
    this.status = definition.status;
    this.cause = cause;
    this.failures = failures;
    this.headers = headers;
  }
}

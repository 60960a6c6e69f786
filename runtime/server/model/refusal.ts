import type { ErrorDefinition } from "../../wire/errors.js";
import type { Failure } from "../../values/validation.js";

const none: readonly Failure[] = [];

/**
 * What a client is told about a request that no handler gets to see. It is given
 * and not thrown, and it is no Error: to make one and to throw it takes longer
 * than a small call, as often as somebody likes to send nonsense.
 */
export class Refusal implements ErrorDefinition {
  readonly name: string;
  readonly code: number;
  readonly message: string;
  readonly status: number;
  /** What is wrong, in words. */
  readonly cause: string | undefined;
  /** The fields that do not fit, if that is why. */
  readonly failures: readonly Failure[];
  /** Headers of the answer, besides the usual ones. */
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

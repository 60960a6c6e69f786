import type { ServerRequest, ServerResponse } from "./exchange.js";
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
  /** The request message with the invalid fields, which is never sent. */
  readonly received: unknown;

  constructor(
    definition: ErrorDefinition,
    cause?: string,
    failures: readonly Failure[] = none,
    headers?: Readonly<Record<string, string>>,
    received?: unknown,
  ) {
    this.name = definition.name;
    this.code = definition.code;
    this.message = definition.message;
    this.status = definition.status;
    this.cause = cause;
    this.failures = failures;
    this.headers = headers;
    this.received = received;
  }
}

/** A refusal of a client that was made from another contract. */
export class SkewRefusal extends Refusal {
  /** What the server says about the contracts. It is also part of the cause. */
  readonly skew: string;

  constructor(refusal: Refusal, skew: string) {
    const { cause, failures, headers } = refusal;
    const text = cause === undefined ? skew : `${cause}; ${skew}`;
    super(refusal, text, failures, headers);
    this.skew = skew;
  }
}

/** A method, by its names in RIDL. */
export interface NamedMethod {
  readonly service: string;
  readonly name: string;
}

/**
 * What a server knows about the contracts of its clients. `knowContracts` of
 * `@ridlkit/runtime/codegen/know-contracts` creates it.
 */
export interface Skew {
  /**
   * Returns the version of the contract that a client was made from, e.g.
   * `v1.3.0`, `unknown` for a contract that the server does not know, or null if
   * the client does not say.
   */
  versionOf(request: ServerRequest): string | null;
  /**
   * Returns a refusal that says so if the client was made from another contract,
   * and names the change that explains the failure, if one does.
   *
   * Input: `method` is null if no method matches the request.
   */
  explain(
    refusal: Refusal,
    request: ServerRequest,
    method: NamedMethod | null,
  ): Refusal;
  /**
   * Adds the server's contract to a response to a client that was made from
   * another one.
   *
   * Input: a function that returns the method of the request, or null. It is only
   * called for a client of an earlier contract, or if a setting changed.
   */
  tell(
    response: ServerResponse,
    request: ServerRequest,
    methodOf: () => NamedMethod | null,
  ): ServerResponse;
}

import type { ErrorDefinition } from "../../wire/errors.js";
import type { RequestFacts } from "./context.js";
import type { ServerRequest, ServerResponse } from "./exchange.js";
import type { ServerMethod } from "./server-method.js";

/** A valid call of a method with `@idempotencyKey`. */
export interface KeyedRequest {
  readonly method: ServerMethod;
  readonly request: ServerRequest;
  readonly message: unknown;
  /**
   * The message as it was sent, with fields that the server does not know. The
   * text is equal for equal JSON.
   */
  readonly sent: string;
  readonly context: RequestFacts;
  /** The time limit of the method, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Returns who makes the call, or null if the method needs no credentials and
   * the server does not know. Errors: any error from the server's options.
   */
  readonly caller: () => string | null;
  /**
   * Returns whom earlier versions of the runtime would have regarded as the
   * caller. Errors: any error from the server's options.
   */
  readonly formerCallers: () => readonly (string | null)[];
  /** Runs the handler. Errors: any error from the handler. */
  readonly run: () => Promise<ServerResponse>;
  /** Returns a response with the headers that were set since `run` was called. */
  readonly withHeaders: (response: ServerResponse) => ServerResponse;
}

/** The response to a call. */
export interface KeyedAnswer {
  readonly response: ServerResponse;
  /** The error that the response repeats, or null. */
  readonly error: ErrorDefinition | null;
}

/** Answers calls with the same key once. */
export interface Idempotency {
  /**
   * Answers a call. Errors: `Refusal`, and any error from the handler, the store,
   * or the server's options.
   */
  readonly answer: (call: KeyedRequest) => Promise<KeyedAnswer>;
}

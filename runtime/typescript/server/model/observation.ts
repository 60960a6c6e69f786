import type { RequestFacts } from "./context.js";
import type { ErrorDefinition } from "../../wire/errors.js";
import type { ServerRequest, ServerResponse } from "./exchange.js";
import { Refusal, SkewRefusal } from "./refusal.js";
import { quietly } from "../../values/quietly.js";
import type { Failure } from "../../values/validation.js";

/** The outcome of a request. */
export interface Outcome {
  /** HTTP status of the response, e.g. 200. */
  readonly status: number;
  /** Name of the error, e.g. `InvalidArgument`. Null for a success. */
  readonly error: string | null;
  /**
   * HTTP status of an error that ended a stream or a file after its response had
   * begun. Otherwise absent.
   */
  readonly streamErrorStatus?: number;
  /**
   * What the response says about the error. Null for a success, and if it says
   * nothing. For an invalid request, it contains values of the request.
   */
  readonly cause: string | null;
  /** Violations in the request. `toPointer(path)` prints their locations. */
  readonly failures: readonly Failure[];
  /**
   * What the server says about a client that was made from another contract, if
   * its request fails. Absent without the setting `skew`.
   */
  readonly skew?: string;
  /**
   * Milliseconds from the headers of the request to the response or to the end
   * of a stream.
   */
  readonly durationMs: number;
  /**
   * Number of bytes of the request body that the server has read. Null if the
   * host does not count them.
   */
  readonly requestBytes: number | null;
  /** Size of the response body in bytes. */
  readonly responseBytes: number;
}

/**
 * Called when a request arrives. The returned function is called when the
 * response is ready or, for a stream, has ended. `facts` is null if no method
 * matches. Exceptions from either function do not change the response.
 */
export type Observe = (
  request: ServerRequest,
  facts: RequestFacts | null,
) => ((outcome: Outcome) => void) | void;

/** Returns the cause of the errors that have one. */
function causeOf(error: object | null): string | null {
  const cause = error !== null && "cause" in error ? error.cause : null;
  return typeof cause === "string" && cause !== "" ? cause : null;
}

/** Reports the end of a request to the observer that saw its start. */
export type Finish = (
  response: ServerResponse,
  error: ErrorDefinition | null,
  /** Length of a streamed body. Null if the body was sent as a whole. */
  streamedBytes: number | null,
) => void;

/**
 * Calls `observe` for a new request. Returns null if there is no observer or if
 * it ignores the end.
 */
export function startObserving(
  observe: Observe | undefined,
  request: ServerRequest,
  facts: RequestFacts | null,
): Finish | null {
  if (observe === undefined) return null;
  const start = performance.now();
  const finish = quietly(() => observe(request, facts));
  if (typeof finish !== "function") return null;
  return (response, error, streamedBytes) => {
    // Guard the whole callback, because reading a thrown value can throw as
    // well.
    quietly(() =>
      finish({
        status: response.status,
        error: error?.name ?? null,
        ...(error !== null &&
          response.status < 400 && { streamErrorStatus: error.status }),
        cause: causeOf(error),
        failures: error instanceof Refusal ? error.failures : [],
        ...(error instanceof SkewRefusal && { skew: error.skew }),
        durationMs: performance.now() - start,
        requestBytes: request.receivedBytes ?? null,
        responseBytes:
          streamedBytes ?? new TextEncoder().encode(response.body).byteLength,
      }),
    );
  };
}

import type { ServerResponse } from "../../server/model/exchange.js";
import { toResponse } from "../../server/answer-request.js";
import { real, standIn } from "./stand-in.js";

/**
 * A response of a generated server. A web-standard response is created only if
 * code reads more than the status.
 */
export interface LazyResponse extends Response {}

/** Implements the interface above. */
export class LazyResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly #answer: ServerResponse;
  #real: Response | null = null;

  constructor(answer: ServerResponse) {
    this.status = answer.status;
    this.ok = answer.status < 300;
    this.#answer = answer;
  }

  /**
   * Returns the original response, or null if it may have been read or changed.
   */
  get answer(): ServerResponse | null {
    return this.#real === null ? this.#answer : null;
  }

  [real](): Response {
    this.#real ??= toResponse(this.#answer);
    return this.#real;
  }

  static {
    standIn(this.prototype, Response.prototype);
  }
}

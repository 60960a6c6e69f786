import { Admission } from "./admission.js";
import { Context } from "./model/context.js";
import type { CredentialCheck } from "./credentials-check.js";
import {
  deadlineExceeded,
  startDeadline,
  type Waiting,
} from "./model/deadline.js";
import {
  type ErrorDefinition,
  WebrpcClientDisconnectedError,
} from "../wire/errors.js";
import {
  isRetrieval,
  type ServerRequest,
  type ServerResponse,
} from "./model/exchange.js";
import {
  type CallOutcome,
  type ErrorPlace,
  failedAnswer,
  report,
} from "./responses/failed-answer.js";
import type { ConditionalRead } from "./responses/conditional-read.js";
import type { Idempotency } from "./model/idempotency.js";
import type { Limits } from "./model/limits.js";
import { HeldBytes, type Memory } from "./model/body-pace.js";
import type { Finish } from "./model/observation.js";
import type { Parameters } from "./model/parameters.js";
import type { Places } from "./model/places.js";
import type {
  Handler,
  ReadRequest,
  ServerMethod,
} from "./model/server-method.js";
import type { ServerOptions } from "./model/server-options.js";
import { UnknownAddressError } from "./model/client-address.js";
import { defaultTenant, firstCredential } from "./tenant.js";
import { maxTimerMs } from "../values/timer.js";

/** A method in the table, with the parts that the host adds. */
export interface BoundMethod<State> {
  readonly row: ServerMethod;
  /** Path parameters, in the order of the path. */
  readonly parameterNames: readonly string[];
  readonly credentials: readonly CredentialCheck<State>[];
  /** The handler with the interceptors around it. */
  readonly handler: Handler<State>;
  readonly limits: Limits;
  /** Reads the requests. Null if the body is the message in JSON. */
  readonly read: ReadRequest | null;
  /** Slots that its handler needs: the method's and the server's. */
  readonly places: readonly Places[];
  /** Answers calls with the same key once. Null if calls have no keys. */
  readonly idempotency: Idempotency | null;
  /** Whether the method can be called with GET as well as POST. */
  readonly isRead: boolean;
  /** Answers GET for caches. Null if its responses have no headers for them. */
  readonly conditional: ConditionalRead | null;
}

/** The data that all methods of a server share. */
export interface Host<State> {
  readonly options: ServerOptions<State>;
  /** Slots for the handlers of all methods, or null if unlimited. */
  readonly places: Places | null;
  /** Slots for bodies that are being received, or null if unlimited. */
  readonly bodyPlaces: Places | null;
  /** Limits the bodies in memory, or null if they are unlimited. */
  readonly memory: Memory | null;
  /** Checks the parameters of the base path. Null if every value is valid. */
  readonly accepts: ((parameters: Parameters) => unknown) | null;
}

/** The parts of a call. */
export interface CallParts<State> {
  readonly host: Host<State>;
  readonly method: BoundMethod<State>;
  /** Raw values of the path parameters. */
  readonly values: readonly string[];
  readonly request: ServerRequest;
  readonly context: Context<State>;
  readonly timeoutMs: number;
  readonly finish: Finish | null;
}

/**
 * One request to a known method and the slots that it occupies. It gets one
 * response, and later events are ignored.
 */
export class ServerCall<State> implements Waiting {
  readonly host: Host<State>;
  readonly method: BoundMethod<State>;
  readonly values: readonly string[];
  readonly request: ServerRequest;
  readonly context: Context<State>;
  /** The slots that the request needs. Null if nothing is limited. */
  readonly admission: Admission | null;
  /** The part of the body that is in memory. Null if that is not limited. */
  readonly held: HeldBytes | null;
  readonly #finish: Finish | null;
  readonly #resolve: (response: ServerResponse) => void;
  readonly #timeoutMs: number;
  #stopTimer: (() => void) | null = null;
  #isAnswered = false;
  /** Whether the response, including a stream, has been sent. */
  #isClosed = false;
  /** Whether the handler has ended or will not run. */
  #isSettled = false;
  /** Whether the stream that the handler returned is still running. */
  #isStreaming = false;

  constructor(
    parts: CallParts<State>,
    resolve: (response: ServerResponse) => void,
  ) {
    const { context, finish, host, method, request, timeoutMs, values } = parts;
    this.host = host;
    this.method = method;
    this.values = values;
    this.request = request;
    this.context = context;
    this.#finish = finish;
    this.#timeoutMs = timeoutMs;
    this.#resolve = resolve;
    this.admission = admissionOf(parts);
    this.held = host.memory === null ? null : new HeldBytes(host.memory);
  }

  /** The limits of the method, which count the bytes of this request. */
  get limits(): Limits {
    const { limits } = this.method;
    const { held } = this;
    if (held === null) return limits;
    const { body, upload } = limits;
    return { ...limits, body: { ...body, held }, upload: { ...upload, held } };
  }

  /** Starts the deadline timer. */
  startDeadline(): void {
    if (this.#isAnswered) return;
    const { deadline } = this.method.limits;
    this.#stopTimer = startDeadline(deadline, this.#timeoutMs, this);
  }

  /** Whether a response has already been sent. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  get deadline(): number {
    return this.context.deadline;
  }

  /** Called when the deadline passes. */
  expire(): void {
    const error = deadlineExceeded(this.#timeoutMs);
    this.context.abort(error);
    this.fail(error);
    this.#releaseLater(this.method.limits.timeoutMs - this.#timeoutMs);
  }

  /** Called when the handler has ended, or if it will not run. */
  settle(): void {
    this.#isSettled = true;
    this.#stopTimer?.();
    this.admission?.endBody();
    this.#release();
  }

  /** Called when a stream starts to run, even if it is never sent. */
  startStream(): void {
    this.#isStreaming = true;
  }

  /** Called when the stream has ended, including its `finally` blocks. */
  endStream(): void {
    this.#isStreaming = false;
    this.#release();
  }

  /** Input: the error that the response repeats, or null. */
  succeed(
    response: ServerResponse,
    error: ErrorDefinition | null = null,
  ): void {
    if (!this.#isAnswered) this.#end(response, error);
  }

  fail(failure: unknown): void {
    if (this.#isAnswered) return;
    const { error, response } = this.failedAnswer(failure);
    this.#end(withoutCaching(this.method, this.request, response), error);
  }

  /** Returns the response for a failure, or the end of a stream. */
  failedAnswer(failure: unknown, place?: ErrorPlace): CallOutcome {
    const { host, method, request } = this;
    return failedAnswer(host.options, method.row, request, failure, place);
  }

  /** Reports a header that is not sent, unless it is stored with an answer. */
  tooLate(name: string): void {
    const { host, method, request } = this;
    if (method.idempotency !== null) return;
    const error = new TypeError(`appendHeader: ${name} is after the response`);
    report(host.options, method.row, request, error);
  }

  /**
   * Releases the slots, unless the handler is still running, and reports the
   * outcome of the request.
   *
   * Input: `streamedBytes` is null if the body was sent as a whole.
   */
  close(
    response: ServerResponse,
    error: ErrorDefinition | null,
    streamedBytes: number | null,
  ): void {
    this.#isClosed = true;
    this.#release();
    this.context.close();
    this.#finish?.(response, error, streamedBytes);
  }

  /** Releases the slots once nothing is running anymore. */
  #release(): void {
    if (!this.#isClosed) return;
    if (this.admission?.endsWithRequest === true) return this.#free();
    if (!this.#isSettled) return;
    if (this.#isStreaming) {
      // The client has disconnected.
      this.#releaseLater(this.method.limits.timeoutMs);
      return;
    }
    this.#stopTimer?.();
    this.#free();
  }

  #free(): void {
    this.admission?.release();
    this.held?.free();
  }

  /**
   * Releases the slots of a handler that is still running after its response.
   * If the client has shortened the deadline or disconnected, waits for some
   * time first. Without this wait, clients could start any number of handlers.
   */
  #releaseLater(ms: number): void {
    const { admission } = this;
    if (admission === null || ms > maxTimerMs) return;
    // On some platforms, the timer would end with the request.
    if (ms === 0 || admission.endsWithRequest) return this.#free();
    const timer = setTimeout(() => this.#free(), ms);
    this.#stopTimer = () => clearTimeout(timer);
  }

  #end(answer: ServerResponse, error: ErrorDefinition | null): void {
    const response = this.context.complete(answer, this);
    this.#isAnswered = true;
    this.method.limits.deadline.stop(this);
    this.#stopTimer?.();
    this.admission?.end();
    if (response.stream === undefined) this.close(response, error, null);
    this.#resolve(response);
  }
}

/** Added to the interval of keep-alives, which can be late, in milliseconds. */
const marginMs = 1000;

function admissionOf<State>({
  context,
  host,
  method,
  request,
}: CallParts<State>): Admission | null {
  const { bodyPlaces: bodies, options } = host;
  const running = method.places;
  const { keepAliveMs, timeoutMs, upload } = method.limits;
  if (bodies === null && running.length === 0) return null;
  return new Admission({
    bodies,
    running,
    leaseMs: Math.max(timeoutMs, keepAliveMs + marginMs),
    bodyLeaseMs: upload.timeoutMs + (upload.maxBytes / upload.minRate) * 1000,
    tenant: () => {
      if (options.tenant !== undefined) {
        const credential = firstCredential(method.row, request);
        return options.tenant(context, request, credential);
      }
      const tenant = defaultTenant(method.row, request);
      if (tenant !== undefined) return tenant;
      const isNeeded = [bodies, ...running].some((each) => each?.isPerTenant);
      if (!isNeeded) return null;
      // A closed connection has no address.
      if (context.signal.aborted) throw new WebrpcClientDisconnectedError();
      throw new UnknownAddressError();
    },
    signal: () => context.signal,
  });
}

/**
 * Prevents caches from storing an error, such as 404, of a method whose
 * responses they may store.
 */
export function withoutCaching(
  { conditional }: Pick<BoundMethod<unknown>, "conditional">,
  request: ServerRequest,
  response: ServerResponse,
): ServerResponse {
  if (conditional === null || !isRetrieval(request)) return response;
  const headers = { ...response.headers, "cache-control": "no-store" };
  return { ...response, headers };
}

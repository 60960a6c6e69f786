import type { ContextKey } from "../../values/context-key.js";
import type { ServerRequest } from "./exchange.js";
import { noParameters, type Parameters } from "./parameters.js";

/** What is known about a request before any state is made for it. */
export interface RequestFacts {
  /** Service as in RIDL, e.g. `Marketplace`. */
  readonly service: string;
  /** Method as in RIDL, e.g. `GetOrders`. */
  readonly method: string;
  /** Decoded path parameters, e.g. `{ network: "polygon" }`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Value of a request header, null when it is absent. Names ignore case. */
  header(name: string): string | null;
  /**
   * Aborts when the client goes away before it has its answer, and when the
   * time for the answer is up.
   */
  readonly signal: AbortSignal;
  /** Milliseconds until the time for the answer is up; `Infinity`: no limit. */
  remainingMs(): number;
  /** What was left under a key; undefined when nothing was. */
  get<Value>(key: ContextKey<Value>): Value | undefined;
  /** Leaves a value under a key for all who see this request. */
  set<Value>(key: ContextKey<Value>, value: Value): void;
}

/** What a handler and a verifier get besides the request message. */
export interface RequestContext<State = undefined> extends RequestFacts {
  /** What `createState` made for this request. */
  readonly state: State;
}

/** The context of one request; `signal` is made when it is first read. */
export class Context<State> implements RequestContext<State> {
  readonly service: string;
  readonly method: string;
  /** Known once the path is read. */
  parameters: Parameters = noParameters;
  /** Known once `createState` has run. */
  state: State;
  readonly #request: ServerRequest;
  readonly #isStream: boolean;
  /** When the time for the answer is up, as `performance.now()` counts. */
  #deadline: number;
  #controller: AbortController | null = null;
  #unlink: (() => void) | null = null;
  #isClosed = false;

  constructor(
    method: {
      readonly service: string;
      readonly name: string;
      readonly isStream?: true;
    },
    request: ServerRequest,
    timeoutMs: number,
    state: State,
  ) {
    this.service = method.service;
    this.method = method.name;
    this.#isStream = method.isStream ?? false;
    this.#request = request;
    this.#deadline =
      timeoutMs === Infinity ? Infinity : performance.now() + timeoutMs;
    this.state = state;
  }

  get deadline(): number {
    return this.#deadline;
  }

  // Functions of their own, so that handlers can take them out of the context.
  get header(): (name: string) => string | null {
    return (name) => this.#request.header(name);
  }

  get signal(): AbortSignal {
    if (this.#controller !== null) return this.#controller.signal;
    if (this.#deadline === Infinity && !this.#isStream) {
      return this.#request.signal();
    }
    const controller = new AbortController();
    this.#controller = controller;
    this.#follow(this.#request.signal(), controller);
    return controller.signal;
  }

  get remainingMs(): () => number {
    return () => Math.max(0, this.#deadline - performance.now());
  }

  get get(): <Value>(key: ContextKey<Value>) => Value | undefined {
    return (key) => key.read(this);
  }

  get set(): <Value>(key: ContextKey<Value>, value: Value) => void {
    return (key, value) => key.write(this, value);
  }

  /** The answer has begun and may take any time. */
  liftDeadline(): void {
    this.#deadline = Infinity;
  }

  /** Aborts what still works for this request. */
  abort(reason: unknown): void {
    // Also for who reads the signal only later.
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }

  /** The answer is out: leaves nothing behind that waits for the client. */
  close(): void {
    this.#isClosed = true;
    this.#unlink?.();
  }

  #follow(signal: AbortSignal, controller: AbortController): void {
    if (this.#isClosed) return;
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    this.#unlink = () => signal.removeEventListener("abort", abort);
  }
}

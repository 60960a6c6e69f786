import type { ContextKey } from "../../values/context-key.js";
import type { ServerRequest, ServerResponse } from "./exchange.js";
import {
  appendHeader,
  type HeaderSource,
  withOwnHeaders,
} from "./response-headers.js";
import type { Skew } from "./refusal.js";
import { noParameters, type Parameters } from "./parameters.js";
import { quietly } from "../../values/quietly.js";

/**
 * What has happened to a request: its credentials were accepted, its body was
 * received (only bodies in JSON), its values were accepted, it got a place
 * (only if there are limits), and its handler returned a value, a promise of
 * which is fulfilled.
 */
export type RequestStep =
  | "credentials-accepted"
  | "body-received"
  | "request-accepted"
  | "admitted"
  | "handled";

/**
 * The part of a request's context that is available before the state is
 * created.
 */
export interface RequestFacts {
  /** Name of the service in RIDL, e.g. `Marketplace`. */
  readonly service: string;
  /** Name of the method in RIDL, e.g. `GetOrders`. */
  readonly method: string;
  /** Decoded parameters of the path, e.g. `{ network: "polygon" }`. */
  readonly parameters: Readonly<Record<string, string>>;
  /**
   * Returns a request header, or null if it is absent. Names are
   * case-insensitive.
   */
  header(name: string): string | null;
  /**
   * Version of the contract that the client was made from, e.g. `v1.3.0`.
   * `unknown` if the server does not know its contract. Null without the setting
   * `skew`, and if the client does not say.
   */
  readonly clientVersion: string | null;
  /** Aborts when the client disconnects or the deadline passes. */
  readonly signal: AbortSignal;
  /**
   * Returns the milliseconds until the deadline, or `Infinity` if there is
   * none.
   */
  remainingMs(): number;
  /**
   * Calls a function after each step of the request, for example to measure how
   * long it waited. Exceptions do not change the response.
   */
  onStep(listener: (step: RequestStep) => void): void;
  /** Returns the value of a key, or undefined if it is not set. */
  get<Value>(key: ContextKey<Value>): Value | undefined;
  /** Sets the value of a key for later interceptors and the handler. */
  set<Value>(key: ContextKey<Value>, value: Value): void;
  /**
   * Appends a header to the response, also to that of an error. Values of the
   * same name are joined by commas, and each `Set-Cookie` is a line of its own.
   * With a cookie, no cache keeps the response, unless you set `Cache-Control`.
   * That of an error is ignored.
   *
   * Has no effect after the response, except that `onError` is called. A stream
   * responds with its first item, or after 100 ms without one.
   *
   * Errors: `TypeError` if the name or the value is invalid, or if the contract
   * or the runtime sets this header.
   */
  appendHeader(name: string, value: string): void;
}

/** The context of a request, for handlers and verifiers. */
export interface RequestContext<State = undefined> extends RequestFacts {
  /** The result of `createState` for this request. */
  readonly state: State;
}

/** The parts of a method that its contexts use. */
interface ContextMethod extends HeaderSource {
  readonly service: string;
  readonly name: string;
  readonly skew?: Skew;
}

/** A call that has its response. */
interface AnsweredCall {
  /** Called when a handler sets a header that the client does not get. */
  tooLate(name: string): void;
}

/** The context of one request. It creates `signal` on first use. */
export class Context<State> implements RequestContext<State> {
  readonly service: string;
  readonly method: string;
  /** Set once the path has been read. */
  parameters: Parameters = noParameters;
  /** Set once `createState` has run. */
  state: State;
  readonly #request: ServerRequest;
  readonly #method: ContextMethod;
  /** The deadline, on the clock of `performance.now()`. */
  #deadline: number;
  #controller: AbortController | null = null;
  #unlink: (() => void) | null = null;
  #isClosed = false;
  #listener: ((step: RequestStep) => void) | null = null;
  /** Headers of this request, which are not stored with the answer of a call. */
  #early: Headers | null = null;
  /** Headers that handlers have set. */
  #own: Headers | null = null;
  #answered: AnsweredCall | null = null;

  constructor(
    method: ContextMethod,
    request: ServerRequest,
    timeoutMs: number,
    state: State,
  ) {
    this.service = method.service;
    this.method = method.name;
    this.#request = request;
    this.#method = method;
    this.#deadline =
      timeoutMs === Infinity ? Infinity : performance.now() + timeoutMs;
    this.state = state;
  }

  get deadline(): number {
    return this.#deadline;
  }

  // Returns a function, so that handlers can destructure the context.
  get header(): (name: string) => string | null {
    return (name) => this.#request.header(name);
  }

  get clientVersion(): string | null {
    return this.#method.skew?.versionOf(this.#request) ?? null;
  }

  get signal(): AbortSignal {
    if (this.#controller !== null) return this.#controller.signal;
    // Some hosts abort the signal of a request after its response.
    const controller = new AbortController();
    this.#controller = controller;
    this.#follow(this.#request.signal(), controller);
    return controller.signal;
  }

  get remainingMs(): () => number {
    return () => Math.max(0, this.#deadline - performance.now());
  }

  get onStep(): (listener: (step: RequestStep) => void) => void {
    return (listener) => {
      const earlier = this.#listener;
      this.#listener = (step) => {
        earlier?.(step);
        quietly(() => listener(step));
      };
    };
  }

  /** Reports a step to the listeners. */
  passed(step: RequestStep): void {
    if (this.#listener !== null) this.#listener(step);
  }

  get get(): <Value>(key: ContextKey<Value>) => Value | undefined {
    return (key) => key.read(this);
  }

  get set(): <Value>(key: ContextKey<Value>, value: Value) => void {
    return (key, value) => key.write(this, value);
  }

  get appendHeader(): (name: string, value: string) => void {
    return (name, value) => {
      // A call with a key goes on after its deadline, and its answer is stored.
      this.#own ??= new Headers();
      appendHeader(this.#own, this.#method, name, value);
      this.#answered?.tooLate(name);
    };
  }

  /**
   * Called before the call runs whose answer is stored. Headers until then, e.g.
   * from verifiers, are not part of the answer.
   */
  startAnswer(): void {
    this.#early = this.#own;
    this.#own = null;
  }

  /** Returns a response with the headers that were set since `startAnswer`. */
  withHeaders(response: ServerResponse): ServerResponse {
    return this.#own === null ? response : withOwnHeaders(response, this.#own);
  }

  /** Returns the response to send. Headers that are set later are too late. */
  complete(response: ServerResponse, call: AnsweredCall): ServerResponse {
    this.#answered = call;
    if (this.#early === null) return this.withHeaders(response);
    const all = new Headers(this.#early);
    for (const [name, value] of this.#own ?? []) all.append(name, value);
    return withOwnHeaders(response, all);
  }

  /**
   * Called when a streamed response begins. There is no time limit after that.
   */
  liftDeadline(): void {
    this.#deadline = Infinity;
  }

  /** Aborts all work for this request. */
  abort(reason: unknown): void {
    // Create the controller even if there is no signal yet, for code that reads
    // the signal later.
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }

  /**
   * Called when the response is sent. Stops waiting for the client to
   * disconnect.
   */
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

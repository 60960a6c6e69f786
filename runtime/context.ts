import type { ServerRequest } from "./exchange.js";

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
  /** Aborts when the client goes away before it has its answer. */
  readonly signal: AbortSignal;
}

/** What a handler and a verifier get besides the request message. */
export interface RequestContext<State = undefined> extends RequestFacts {
  /** What `createState` made for this request. */
  readonly state: State;
}

/** The facts of one request; `signal` is made when it is first read. */
export class Facts implements RequestFacts {
  readonly service: string;
  readonly method: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly #request: ServerRequest;

  constructor(
    method: { readonly service: string; readonly name: string },
    parameters: Readonly<Record<string, string>>,
    request: ServerRequest,
  ) {
    this.service = method.service;
    this.method = method.name;
    this.parameters = parameters;
    this.#request = request;
  }

  header(name: string): string | null {
    return this.#request.header(name);
  }

  get signal(): AbortSignal {
    return this.#request.signal();
  }
}

/** The facts of one request with its state. */
export class Context<State> extends Facts implements RequestContext<State> {
  readonly state: State;

  constructor(
    method: { readonly service: string; readonly name: string },
    parameters: Readonly<Record<string, string>>,
    request: ServerRequest,
    state: State,
  ) {
    super(method, parameters, request);
    this.state = state;
  }
}

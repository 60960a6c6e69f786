import type { Readable, Writable } from "node:stream";
import {
  RequestError,
  type RpcMethod,
  type ParamsOf,
  type ResultOf,
} from "./messages.js";
import { RecoveringReader, type RpcMessage } from "./recovering-reader.js";

/** Whether the client has canceled a request. */
export interface Cancellation {
  readonly isCanceled: boolean;
}

/** Handles the messages of one method. Their parameters are unchecked. */
interface Handler {
  handle(params: unknown, cancellation: Cancellation): unknown;
}

/**
 * Exchanges JSON-RPC messages with a client. It handles each message in a
 * separate turn of the event loop, so requests can be canceled before they
 * start.
 */
export class Connection {
  readonly #output: Writable;
  readonly #log: (fault: string) => void;
  readonly #handlers = new Map<string, Handler>();
  /** Messages that have not been handled. */
  #queue: RpcMessage[] = [];
  /** Requests without a response, by their ID. */
  readonly #running = new Map<unknown, { isCanceled: boolean }>();
  #turn: NodeJS.Immediate | null = null;
  #lastId = 0;

  /** `log` is called with faults in messages and in handlers. */
  constructor(output: Writable, log: (fault: string) => void) {
    this.#output = output;
    this.#log = log;
  }

  /** Starts handling messages. Returns a function that stops handling them. */
  listen(input: Readable): () => void {
    const reader = new RecoveringReader(
      (message) => this.#receive(message),
      this.#log,
    );
    const onData = (chunk: Buffer): void => reader.add(chunk);
    input.on("data", onData);
    return () => {
      input.off("data", onData);
      this.#queue = [];
    };
  }

  onRequest<Name extends RpcMethod>(
    method: Name,
    handle: (
      params: ParamsOf<Name>,
      cancellation: Cancellation,
    ) => ResultOf<Name> | Promise<ResultOf<Name>>,
  ): void {
    this.#handlers.set(method, { handle });
  }

  onNotification<Name extends RpcMethod>(
    method: Name,
    handle: (params: ParamsOf<Name>) => void,
  ): void {
    this.#handlers.set(method, { handle });
  }

  notify<Name extends RpcMethod>(method: Name, params: ParamsOf<Name>): void {
    this.#send({ method, params });
  }

  /** Sends a request whose result is not needed. */
  request(method: string, params?: object): void {
    this.#lastId += 1;
    this.#send({ id: this.#lastId, method, ...(params && { params }) });
  }

  /** Calls a function once no received message is waiting to be handled. */
  afterQueue(call: () => void): void {
    if (this.#turn === null) call();
    else setImmediate(() => this.afterQueue(call));
  }

  #receive(message: RpcMessage): void {
    const { id, method, params } = message;
    if (method === "$/cancelRequest") {
      const running = this.#running.get(Reflect.get(Object(params), "id"));
      if (running !== undefined) running.isCanceled = true;
      return;
    }
    const hasAnswer = method !== undefined && id !== undefined;
    if (hasAnswer) this.#running.set(id, { isCanceled: false });
    this.#queue.push(message);
    this.#turn ??= setImmediate(this.#handleNext);
  }

  readonly #handleNext = (): void => {
    const message = this.#queue.shift();
    this.#turn = this.#queue.length > 0 ? setImmediate(this.#handleNext) : null;
    if (message !== undefined) void this.#handle(message);
  };

  async #handle(message: RpcMessage): Promise<void> {
    const { id, method, params } = message;
    if (method === undefined) {
      // The client has responded to a request.
      if ("result" in message || "error" in message) return;
      this.#log("skipped a message without a method");
      return;
    }
    const cancellation = this.#running.get(id) ?? { isCanceled: false };
    try {
      throwIfCanceled(cancellation);
      const handler = this.#handlers.get(method);
      if (handler === undefined) {
        throw new RequestError("methodNotFound", `unknown method ${method}`);
      }
      const result = (await handler.handle(params, cancellation)) ?? null;
      if (id !== undefined) this.#send({ id, result });
    } catch (error) {
      this.#fail(message, error);
    }
    this.#running.delete(id);
  }

  /** Responds to a request with an error. Unexpected errors are also logged. */
  #fail({ id, method }: RpcMessage, error: unknown): void {
    const isExpected = error instanceof RequestError;
    if (!isExpected) {
      const detail = error instanceof Error ? error.stack : String(error);
      this.#log(`${method} failed: ${detail}`);
    }
    if (id === undefined) return;
    const { code, message } = isExpected
      ? error
      : new RequestError("internalError", `${method} failed: ${String(error)}`);
    this.#send({ id, error: { code, message } });
  }

  /**
   * Writes a message immediately and in one piece. The stream reports failures
   * with an event.
   */
  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const header = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    this.#output.write(header + body);
  }
}

/** Throws a {@link RequestError} if the client has canceled a request. */
export function throwIfCanceled({ isCanceled }: Cancellation): void {
  if (isCanceled) throw new RequestError("requestCancelled", "canceled");
}

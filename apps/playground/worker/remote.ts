/** Functions that a worker provides to the page. Values are copied. */
export type Api = object;

/** The names of the functions of an API. */
type NameOf<Offered extends Api> = keyof Offered & string;

/** The arguments of a function. */
type ArgumentsOf<Member> = Member extends (...args: infer Args) => unknown
  ? Args
  : never;

/** The result of a function. */
type ResultOf<Member> = Member extends (...args: never) => infer Result
  ? Awaited<Result>
  : never;

interface Question {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

interface WorkerReply {
  readonly id: number;
  readonly value?: unknown;
  /** The error message, if the call failed. */
  readonly error?: string;
}

/** Interval of the sign of life of a worker with pending calls. */
const beatMs = 1_000;

/**
 * Handles the page's calls in a worker. A message with `null` is a sign of life
 * from a worker that is loaded, and from one whose calls wait for the network.
 */
export function offer(api: Api): void {
  const beat = (): void => self.postMessage(null);
  beat();
  self.addEventListener("message", async (event: MessageEvent<Question>) => {
    const { args, id, name } = event.data;
    const timer = setInterval(beat, beatMs);
    const answer: WorkerReply = await Promise.resolve()
      .then(() => Reflect.apply(Reflect.get(api, name), api, args))
      .then(
        (value: unknown) => ({ id, value }),
        (error: unknown) => ({ id, error: String(error) }),
      );
    clearInterval(timer);
    self.postMessage(answer);
  });
}

/** A pending call. */
interface Pending {
  resolve(value: never): void;
  reject(error: Error): void;
}

/** Timeout for a loaded worker with pending calls and no sign of life. */
const timeoutMs = 10_000;

/** The part of the `Worker` API that {@link Remote} uses. */
export type WorkerLike = Pick<
  Worker,
  "addEventListener" | "postMessage" | "terminate"
>;

/** A worker whose functions the page can call. */
export class Remote<Offered extends Api> {
  readonly #worker: WorkerLike;
  readonly #pending = new Map<number, Pending>();
  readonly #onStall: () => void;
  #lastId = 0;
  #isClosed = false;
  #isLoaded = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `onStall` is called if the worker hung or failed, and was stopped. */
  constructor(worker: WorkerLike, onStall: () => void) {
    this.#worker = worker;
    this.#onStall = onStall;
    worker.addEventListener("message", ({ data }) => {
      this.#isLoaded = true;
      if (data !== null) this.#settle(data);
      this.#watch();
    });
    worker.addEventListener("error", () => this.#stall());
  }

  /**
   * Calls a function of the worker.
   *
   * Errors: an error with the text of the one that the function throws, or a
   * {@link ClosedError} if the worker is stopped.
   */
  call<Name extends NameOf<Offered>>(
    name: Name,
    ...args: ArgumentsOf<Offered[Name]>
  ): Promise<ResultOf<Offered[Name]>> {
    if (this.#isClosed) return Promise.reject(new ClosedError());
    this.#lastId += 1;
    const question: Question = { id: this.#lastId, name, args };
    const ports = question.args.filter((each) => each instanceof MessagePort);
    this.#worker.postMessage(question, ports);
    return new Promise((resolve, reject) => {
      this.#pending.set(question.id, { resolve, reject });
      // Further calls do not extend the timeout, e.g. while the user types.
      if (this.#pending.size === 1) this.#watch();
    });
  }

  /** Stops the worker. Pending and later calls fail. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(new ClosedError());
    this.#pending.clear();
  }

  #settle({ error, id, value }: WorkerReply): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error !== undefined) pending?.reject(new Error(error));
    // The value is the result of the function that the caller named.
    else pending?.resolve(value as never);
  }

  #watch(): void {
    clearTimeout(this.#timer);
    // On a slow network, it can take long to load a worker.
    if (this.#pending.size === 0 || !this.#isLoaded) return;
    this.#timer = setTimeout(() => this.#stall(), timeoutMs);
  }

  #stall(): void {
    this.close();
    this.#onStall();
  }
}

/** The error of a call whose worker was stopped. */
export class ClosedError extends Error {
  override readonly name = "ClosedError";
}

import { RpcError } from "../../../runtime/typescript/wire/errors.js";
import type {
  BasicLogin,
  RequestContext,
  RpcServer,
  ServerOptions,
} from "../../../runtime/typescript/server/server.js";

/** A request or response as handlers see it. */
export type Message = Readonly<Record<string, unknown>>;

/** The exports of generated code by name. */
export type Exports = Readonly<Record<string, unknown>>;

/** A server, and a record of what its handlers did. */
export interface ConformanceServer {
  readonly server: RpcServer;
  /** Returns the argument that a handler last received. */
  readonly seen: () => unknown;
  /** Returns the number of handlers that have started to wait. */
  readonly startedCount: () => number;
  /** Returns the number of waiting handlers whose calls were aborted. */
  readonly abortedCount: () => number;
  /** Returns the number of streams whose handlers have ended. */
  readonly leftCount: () => number;
}

type ErrorClass = new (options?: object) => RpcError;

/**
 * Creates the server of `conformance.ridl` from its generated code. Runs on
 * every host.
 *
 * Input: `limits` contains additional options for the server.
 */
export function createConformance(
  generated: Exports,
  limits: ServerOptions = {},
): ConformanceServer {
  const log = { seen: undefined as unknown, started: 0, aborted: 0, left: 0 };
  const fail = createFail(generated as Readonly<Record<string, ErrorClass>>);
  const failWith = createFailWith(generated);
  const echo = (request: Message): Message => {
    log.seen = request;
    return request;
  };
  const rest = (
    { ms }: Message,
    { signal }: RequestContext,
  ): Promise<Message> => {
    log.started += 1;
    return sleep(Number(ms), signal, () => (log.aborted += 1));
  };
  const createServer = generated["createConformanceServer"] as (
    options: object,
  ) => RpcServer;
  const server = createServer({
    ...limits,
    handlers: {
      // A service whose methods all have the same handler.
      echo: new Proxy({}, { get: () => echo }),
      v1Names: { get: echo },
      access: { open: echo, guarded: echo, signedIn: echo },
      keys: {
        readKeyed: echo,
        callKeyed: echo,
        readSession: echo,
        endSession: (request: Message) => void echo(request),
        either: (request: Message) => void echo(request),
      },
      faults: { fail, failAs: fail, failWith },
      sizes: {
        body: () => undefined,
        length: ({ value }: Message) => ({
          length: Array.isArray(value) ? value.length : 0,
        }),
      },
      time: { sleep: rest, rest },
      reads: {
        thing: (request: Message) => ({ thing: request }),
        name: echo,
        blob: echo,
        own: echo,
      },
      files: {
        folder: (request: Message) => void echo(request),
        all: (request: Message) => void echo(request),
        whole: echo,
        suffix: echo,
        version: echo,
        batch: echo,
        draft: echo,
        below: echo,
      },
      orders: {
        query: echo,
        put: echo,
        change: echo,
        create: (request: Message) => ({ points: [], ...echo(request) }),
        remove: (request: Message) => void echo(request),
        reset: (request: Message) => void echo(request),
        cancel: (request: Message) => void echo(request),
      },
      lines: createLines({ fail, failWith }, () => (log.left += 1)),
    },
    // These handlers fail deliberately.
    onError: () => undefined,
    verifyKey: (value: string) => value === "key",
    verifySecret: (value: string) => value === "secret",
    verifyApiKey: (value: string) => value === "k&y é=",
    verifySession: (value: string) => value === "s=1",
    verifyUserLogin: ({ username, password }: BasicLogin) =>
      username === "é" && password === "a:b",
    methods: {
      "Sizes/Body": { maxBodyBytes: 1000 },
      "Time/Sleep": { timeoutMs: 120 },
      "Time/Rest": { timeoutMs: 60_000 },
    },
  });
  return {
    server,
    seen: () => log.seen,
    startedCount: () => log.started,
    abortedCount: () => log.aborted,
    leftCount: () => log.left,
  };
}

/** Creates a handler that fails as requested. */
function createFail(classes: Readonly<Record<string, ErrorClass>>) {
  const raise = (name: string, options?: object): never => {
    const found = classes[`${name}Error`];
    if (found === undefined) throw new Error(`there is no ${name}`);
    throw new found(options);
  };
  return ({ how }: Message): Message => {
    const [kind, name = ""] = String(how).split(" ");
    switch (kind) {
      case "plain":
        return raise(name);
      case "message":
        return raise(name, { message: "another text" });
      case "cause":
        return raise(name, { cause: "because: “é😀”" });
      case "object":
        return raise(name, { cause: new Error("secret of the house") });
      case "exception":
        throw new TypeError("secret of the house");
      case "text":
        throw "secret of the house";
      case "nothing":
        throw undefined;
      case "rejection":
        return Promise.reject(new Error("secret of the house")) as never;
      case "invalid":
        return { value: -1, secret: "secret of the house" };
      case "null":
        return null as never;
      case "extra":
        return { value: 7, secret: "secret of the house" };
      default:
        return { value: 7 };
    }
  };
}

/** Creates a handler that fails with data as requested. */
function createFailWith(generated: Exports): (request: Message) => never {
  const { QuotaReachedError, ConflictError } = generated as Readonly<
    Record<string, ErrorClass>
  >;
  const { QuotaReached } = Object(generated["errors"]);
  if (!QuotaReachedError || !ConflictError) throw new Error("no errors");
  return ({ how, data }) => {
    switch (how) {
      case "missing":
        throw new RpcError(QuotaReached);
      case "undeclared":
        throw Object.assign(new ConflictError(), { data });
      case "cause":
        throw new QuotaReachedError({ data, cause: "because" });
      case "extra": {
        const extra = { ...Object(data), secret: "secret of the house" };
        throw new QuotaReachedError({ data: extra });
      }
      case "invalid": {
        const token = "secret of the house";
        throw new QuotaReachedError({ data: { ...Object(data), token } });
      }
      default:
        throw new QuotaReachedError({ data });
    }
  };
}

function createLines(
  {
    fail,
    failWith,
  }: Readonly<Record<"fail" | "failWith", (request: Message) => Message>>,
  onLeave: () => void,
): Readonly<Record<string, (request: Message) => AsyncIterable<Message>>> {
  return {
    async *count({ to, large }) {
      for (let n = 1; n <= Number(to); n += 1) yield { n, large };
    },
    async *fail({ how, after }) {
      for (let n = 1; n <= Number(after); n += 1) yield { n };
      const { value } = fail({ how });
      yield { n: value };
    },
    async *end(request) {
      yield { n: 1 };
      failWith(request);
    },
    async *shapes({ shapes }) {
      for (const shape of shapes as readonly unknown[]) yield { shape };
    },
    async *follow({ to, after }) {
      for (let n = Number(after ?? 0) + 1; n <= Number(to); n += 1) {
        // The response has the type of the request.
        yield { line: { n: typeof to === "bigint" ? BigInt(n) : n } };
      }
    },
    async *endless() {
      try {
        for (let n = 1; ; n += 1) {
          yield { n };
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
      } finally {
        onLeave();
      }
    },
  };
}

function sleep(
  ms: number,
  signal: AbortSignal,
  onAbort: () => void,
): Promise<Message> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ remaining: 0 });
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      onAbort();
      end();
    });
  });
}

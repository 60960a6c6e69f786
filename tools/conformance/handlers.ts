/** A request or response as handlers see it. */
export type HandledMessage = Readonly<Record<string, unknown>>;

/** The exports of generated code by name. */
export type Exports = Readonly<Record<string, unknown>>;

/** A server, and a record of what its handlers did. */
export interface ConformanceServer<Server> {
  readonly server: Server;
  /** Returns the argument that a handler last received. */
  readonly seen: () => unknown;
  /** Returns the number of handlers that have started to wait. */
  readonly startedCount: () => number;
  /** Returns the number of waiting handlers whose calls were aborted. */
  readonly abortedCount: () => number;
  /** Returns the number of streams whose handlers have ended. */
  readonly leftCount: () => number;
}

type ErrorClass = new (options?: object) => Error;

/**
 * Creates the server of `conformance.ridl` from its generated code. Runs on
 * every host.
 *
 * Input: `options` contains the store of idempotency keys, and further options
 * of the server.
 */
export function serveConformance<Server>(
  generated: Exports,
  options: { readonly idempotency: unknown },
): ConformanceServer<Server> {
  const log = { seen: undefined as unknown, started: 0, aborted: 0, left: 0 };
  const fail = createFail(generated as Readonly<Record<string, ErrorClass>>);
  const failWith = createFailWith(generated);
  const echo = (request: HandledMessage): HandledMessage => {
    log.seen = request;
    return request;
  };
  const rest = (
    { ms }: HandledMessage,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<HandledMessage> => {
    log.started += 1;
    return sleep(Number(ms), signal, () => (log.aborted += 1));
  };
  const createServer = generated["createConformanceServer"] as (
    options: object,
  ) => Server;
  const server = createServer({
    ...options,
    caller: () => "anyone",
    handlers: {
      // A service whose methods all have the same handler.
      echo: new Proxy({}, { get: () => echo }),
      ...createEchoes(echo),
      faults: { fail, failAs: fail, failWith },
      sizes: {
        body: () => undefined,
        length: ({ value }: HandledMessage) => ({
          length: Array.isArray(value) ? value.length : 0,
        }),
      },
      time: { sleep: rest, rest },
      lines: createLines({ fail, failWith }, () => (log.left += 1)),
      ...ticks,
      uploads: createUploads(),
    },
    // These handlers fail deliberately.
    onError: () => undefined,
    verifyKey: (value: string) => value === "key",
    verifySecret: (value: string) => value === "secret",
    verifyApiKey: (value: string) => value === "k&y é=",
    verifySession: (value: string) => value === "s=1",
    verifyUserLogin: ({ username, password }: HandledMessage) =>
      username === "é" && password === "a:b",
    methods: {
      "Keys/ReadStored": { cacheControl: "max-age=60" },
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

/** Creates the handlers of services whose methods return what they receive. */
function createEchoes(echo: (request: HandledMessage) => HandledMessage) {
  return {
    v1Names: { get: echo },
    access: { open: echo, guarded: echo, signedIn: echo },
    keys: {
      readKeyed: echo,
      readStored: echo,
      callKeyed: echo,
      readSession: echo,
      endSession: (request: HandledMessage) => void echo(request),
      either: (request: HandledMessage) => void echo(request),
      optional: (request: HandledMessage) => void echo(request),
    },
    reads: {
      thing: (request: HandledMessage) => ({ thing: request }),
      name: echo,
      blob: echo,
      own: echo,
    },
    files: {
      folder: (request: HandledMessage) => void echo(request),
      all: (request: HandledMessage) => void echo(request),
      whole: echo,
      suffix: echo,
      version: echo,
      batch: echo,
      draft: echo,
      below: echo,
    },
    orders: {
      query: echo,
      joined: echo,
      put: echo,
      change: echo,
      create: (request: HandledMessage) => ({ points: [], ...echo(request) }),
      remove: (request: HandledMessage) => void echo(request),
      reset: (request: HandledMessage) => void echo(request),
      cancel: (request: HandledMessage) => void echo(request),
    },
    parts: {
      sendForm: echo,
      sendBrackets: echo,
      putPage: ({ name, counts, flag }: HandledMessage) => ({
        page: { name },
        counts,
        flag,
      }),
      createReport: ({ name }: HandledMessage) => {
        if (name === "") return {};
        return name === "later"
          ? { ticket: { position: 1 } }
          : { report: { name } };
      },
      replaceReport: ({ name }: HandledMessage) => ({
        status: name === "new" ? 201 : 200,
        report: { name },
      }),
      mergeReport: ({ report }: HandledMessage) => ({ received: report }),
    },
    repeats: { peek: echo, push: echo, pay: echo, note: echo },
  };
}

/** The handlers of streams of events. */
const ticks = {
  ticks: {
    async *tick({ id, count }: HandledMessage) {
      for (let n = 1; n <= Number(count ?? 1); n += 1) yield { tick: [id, n] };
    },
    async *watch({ id, to, after }: HandledMessage) {
      for (let n = Number(after ?? 0) + 1; n <= Number(to); n += 1)
        yield { id, n };
    },
  },
};

/** Creates a handler that fails as requested. */
function createFail(classes: Readonly<Record<string, ErrorClass>>) {
  const raise = (name: string, options?: object): never => {
    const found = classes[`${name}Error`];
    if (found === undefined) throw new Error(`there is no ${name}`);
    throw new found(options);
  };
  return ({ how }: HandledMessage): HandledMessage => {
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
      case "beyond":
        return { value: 200 };
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
function createFailWith(
  generated: Exports,
): (request: HandledMessage) => never {
  const { QuotaReachedError, ConflictError } = generated as Readonly<
    Record<string, ErrorClass>
  >;
  if (!QuotaReachedError || !ConflictError) throw new Error("no errors");
  return ({ how, data }) => {
    switch (how) {
      case "missing":
        throw new QuotaReachedError();
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
      case "negative": {
        const { limit, ...rest } = Object(data) as HandledMessage;
        const negative = typeof limit === "bigint" ? -1n : -1;
        throw new QuotaReachedError({ data: { ...rest, limit: negative } });
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
  }: Readonly<
    Record<"fail" | "failWith", (request: HandledMessage) => HandledMessage>
  >,
  onLeave: () => void,
): Readonly<
  Record<string, (request: HandledMessage) => AsyncIterable<HandledMessage>>
> {
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
    async *members() {
      yield { n: 1, more: { m: [1] } };
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

/** What a handler gets of a file. */
interface FileLike {
  readonly name?: string;
  readonly type: string;
  readonly stream: () => ReadableStream<Uint8Array<ArrayBuffer>>;
}

async function contentOf(file: unknown): Promise<HandledMessage> {
  const { name = "", type, stream } = file as FileLike;
  const read = stream.bind(file);
  return { name, type, text: await new Response(read()).text() };
}

async function contentsOf(files: unknown): Promise<unknown> {
  const isGiven = Array.isArray(files) && files.length > 0;
  return isGiven ? Promise.all(files.map(contentOf)) : undefined;
}

function createUploads(): Readonly<Record<string, unknown>> {
  const fileOf = (name: unknown): object => {
    const text = String(name);
    return { file: new File([text], text, { type: "text/plain" }) };
  };
  return {
    upload: async ({ title, picture, more }: HandledMessage) => ({
      title,
      picture: await contentOf(picture),
      more: await contentsOf(more),
    }),
    download: ({ name }: HandledMessage) => fileOf(name),
    attach: async ({ id, title, tags, paper, photos }: HandledMessage) => ({
      id,
      title,
      tags,
      paper: await contentOf(paper),
      photos: await contentsOf(photos),
    }),
    store: async ({ id, note, content }: HandledMessage) => ({
      id,
      note,
      content: await contentOf(content),
    }),
    fetchContent: ({ id }: HandledMessage) => fileOf(id),
  };
}

function sleep(
  ms: number,
  signal: AbortSignal,
  onAbort: () => void,
): Promise<HandledMessage> {
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

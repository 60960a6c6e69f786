import { failureTypes } from "../change/failure-types.js";
import type { HelperFile } from "../change/old-client.js";

/**
 * Returns the file with the function that changes the result of a call into
 * the object that openapi-fetch returns. `client` is the runtime's entry point.
 */
export function outcomeFile(client: string): HelperFile {
  return {
    name: "outcome",
    exported: "outcomeOf",
    text: outcomeText.replace("@client", client),
  };
}

const outcomeText = `import { type Result, TransportError } from "@client";

/** The outcome of a call, in the form that openapi-fetch returns. */
export type Outcome<Data, Failure> =
  | { data: Data; error?: undefined; response: Status }
  | { data?: undefined; error: ErrorOf<Failure>; response: Status };

${failureTypes}
/**
 * Waits for the result of a call.
 *
 * Input: the result, the name of the output that is the body of the response
 * (null if it has no body), and the status of a success or the name of the
 * output with the status.
 * Errors: those of the connection, which openapi-fetch throws, too.
 */
export function outcomeOf<Value, Failure extends Failed>(
  result: Promise<Result<Value, Failure>>,
  key?: undefined,
  status?: number | string,
): Promise<Outcome<Value, Failure>>;
export function outcomeOf<
  Value,
  Key extends keyof Value,
  Failure extends Failed,
>(
  result: Promise<Result<Value, Failure>>,
  key: Key,
  status?: number | string,
): Promise<Outcome<Value[Key], Failure>>;
export function outcomeOf<Failure extends Failed>(
  result: Promise<Result<unknown, Failure>>,
  key: null,
  status?: number | string,
): Promise<Outcome<undefined, Failure>>;
export async function outcomeOf(
  result: Promise<Result<unknown, Failed>>,
  key?: PropertyKey | null,
  status: number | string = 200,
): Promise<Outcome<unknown, unknown>> {
  const settled = await result;
  if (settled.ok) {
    const { value } = settled;
    const sent = typeof status === "number" ? status : Number(read(value, status));
    return { data: read(value, key), response: { ok: true, status: sent } };
  }
  const { error } = settled;
  if (error instanceof TransportError && error.reason !== "bad-response") {
    throw Reflect.get(error, "cause") ?? error;
  }
  const { data = error, status: failed }: Failed = error;
  return { error: data, response: { ok: false, status: failed } };
}

function read(value: unknown, key: PropertyKey | null | undefined): unknown {
  if (key === null) return undefined;
  return key === undefined ? value : Reflect.get(Object(value), key);
}
`;

/** Returns the file that gives a client the middleware of openapi-fetch. */
export function middlewareFile(client: string): HelperFile {
  return {
    name: "middleware",
    exported: "withMiddleware",
    text: middlewareText.replace("@client", client),
  };
}

const middlewareText = `import type { ClientOptions } from "@client";

type Awaitable<Value> = Value | Promise<Value>;

/** Sees each request and each response, like middleware of openapi-fetch. */
export interface Middleware {
  onRequest?(params: {
    request: Request;
  }): Awaitable<Request | Response | undefined | void>;
  onResponse?(params: {
    request: Request;
    response: Response;
  }): Awaitable<Response | undefined | void>;
  onError?(params: {
    request: Request;
    error: unknown;
  }): Awaitable<Response | Error | undefined | void>;
}

/** A client whose requests and responses middleware can change. */
export interface HasMiddleware {
  use(...middleware: Middleware[]): void;
  eject(...middleware: Middleware[]): void;
}

type Options<Own extends ClientOptions> = Omit<Own, "fetch"> & {
  readonly fetch?: (request: Request) => Promise<Response>;
};

/**
 * Creates a client that calls middleware around its calls.
 *
 * Input: the function that creates the client, its options, and an old client
 * whose calls the new one can make, too.
 */
export function withMiddleware<
  Own extends ClientOptions,
  Client extends object,
  Old extends HasMiddleware,
>(
  create: (options: Own) => Client,
  options: Options<Own>,
  old?: Old,
): Client & Old & HasMiddleware {
  const all: Middleware[] = [];
  const send = options.fetch ?? ((request) => fetch(request));
  const own: unknown = {
    ...options,
    fetch: (url: string, init: RequestInit) =>
      run(all, new Request(url, init), send),
  };
  const client = create(own as Own);
  return {
    ...(old as Old),
    ...client,
    use(...middleware: Middleware[]) {
      old?.use(...middleware);
      all.push(...middleware);
    },
    eject(...middleware: Middleware[]) {
      old?.eject(...middleware);
      for (const each of middleware) {
        const index = all.indexOf(each);
        if (index !== -1) all.splice(index, 1);
      }
    },
  };
}

async function run(
  all: readonly Middleware[],
  first: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const reversed = [...all].reverse();
  let request = first;
  for (const each of all) {
    const changed = await each.onRequest?.({ request });
    if (changed instanceof Response) return changed;
    request = changed ?? request;
  }
  let response = await sendOr(reversed, request, send);
  for (const each of reversed) {
    response = (await each.onResponse?.({ request, response })) ?? response;
  }
  return response;
}

async function sendOr(
  reversed: readonly Middleware[],
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  try {
    return await send(request);
  } catch (cause) {
    let error: unknown = cause;
    for (const each of reversed) {
      const changed = await each.onError?.({ request, error });
      if (changed instanceof Response) return changed;
      error = changed ?? error;
    }
    throw error;
  }
}
`;

import type { CallOptions } from "../client/call.js";
import type { Paging } from "../client/pages.js";
import type { StreamOptions } from "../client/stream.js";
import { isStillRunning } from "../client/retry.js";
import {
  createTransportErrorAs,
  type CallError,
} from "../client/transport-error.js";
import { randomKey } from "../values/random-key.js";
import { pageKey } from "../wire/page-links.js";

/**
 * Options for TanStack Query in any framework. They are plain objects, so this
 * file imports nothing from TanStack Query.
 */

/**
 * The service, the method, and the request. `QueryMethod.key` is such a key
 * without the request.
 */
export type QueryKey = readonly unknown[];

/** Options for the calls of a query. TanStack Query aborts the calls itself. */
export type QueryCallOptions = Omit<CallOptions, "idempotencyKey" | "signal">;

/** Options for the calls of a mutation whose method has `@idempotencyKey`. */
export interface KeyedCallOptions<Request> extends QueryCallOptions {
  /**
   * Returns the key of a request, e.g. the ID of the form's draft, so that a
   * request that is submitted twice runs once. Default: a random key for each
   * `mutate`, which all its retries share.
   */
  readonly idempotencyKey?: (request: Request) => string;
}

/** Options for the stream of a query. TanStack Query aborts it itself. */
export type QueryStreamOptions<Request, Item> = Omit<
  StreamOptions<Request, Item>,
  "signal"
>;

/** Arguments of a query. The request is optional if all its fields are. */
export type QueryArguments<
  Request,
  Options = QueryCallOptions,
> = {} extends Request
  ? [request?: Request, options?: Options]
  : [request: Request, options?: Options];

/**
 * Members that exist only in the type. TanStack Query infers the error type
 * from them, because a function type does not include the errors that it
 * throws. They are declared as methods, because TypeScript compares the
 * parameters of function properties more strictly.
 */
interface QueryErrors<Failure> {
  retryDelay?(count: number, error: CallError<Failure>): number;
  throwOnError?(error: CallError<Failure>): boolean;
}

/** Options for a query. */
export interface QueryOptions<
  Key,
  QueryFunction,
  Failure,
> extends QueryErrors<Failure> {
  readonly queryKey: Key;
  readonly queryFn: QueryFunction;
}

/** Options for an infinite query, which loads one page at a time. */
export interface InfiniteQueryOptions<
  Key,
  QueryFunction,
  Failure,
  Response,
  Page,
> extends QueryOptions<Key, QueryFunction, Failure> {
  readonly initialPageParam: Page | undefined;
  readonly getNextPageParam: (
    last: Response,
    all: unknown,
    asked: Page | undefined,
    allAsked: readonly (Page | undefined)[],
  ) => Page | undefined;
}

/** Options for a mutation. Its variables are the request. */
export interface MutationOptions<
  Request,
  Response,
  Failure,
> extends QueryErrors<Failure> {
  readonly mutationKey: QueryKey;
  readonly mutationFn: (request: Variables<Request>) => Promise<Response>;
}

/**
 * The argument of `mutate`. It is optional if all fields of the request are.
 */
export type Variables<Request> = {} extends Request ? Request | void : Request;

/** The context that TanStack Query passes to a query. */
interface QueryContext {
  readonly signal: AbortSignal;
}

/** A mutation in the cache of TanStack Query. */
interface CachedMutation {
  readonly options: { readonly mutationKey?: QueryKey };
  readonly state: {
    readonly status: string;
    readonly variables: unknown;
    readonly idempotencyKey?: string;
  };
}

/** The context that TanStack Query passes to a mutation. */
export interface MutationContext {
  readonly client: {
    getMutationCache(): {
      getAll(): readonly CachedMutation[];
      notify(event: object): void;
    };
  };
  readonly mutationKey?: QueryKey;
}

/** Options for a mutation whose method has `@idempotencyKey`. */
export interface KeyedMutationOptions<
  Request,
  Response,
  Failure,
> extends QueryErrors<Failure> {
  readonly mutationKey: QueryKey;
  readonly mutationFn: (
    request: Variables<Request>,
    context: MutationContext,
  ) => Promise<Response>;
}

/** Calls the server. */
export type QueryFunction<Response> = (
  context: QueryContext,
) => Promise<Response>;

/** Calls the server for one page. */
export type PageFunction<Response, Page> = (
  context: QueryContext & { readonly pageParam: Page | undefined },
) => Promise<Response>;

/** Creates mutations for one method. */
export interface MutationMethod<Request, Response, Failure> {
  /** Returns the options for a mutation. */
  mutationOptions(
    options?: QueryCallOptions,
  ): MutationOptions<Request, Response, Failure>;
}

/** Creates mutations for one method with `@idempotencyKey`. */
export interface KeyedMutationMethod<Request, Response, Failure> {
  /**
   * Returns the options for a mutation. Errors: TypeError if `idempotencyKey` is
   * not a function, because one key would make all calls the same call.
   */
  mutationOptions(
    options?: KeyedCallOptions<Request>,
  ): KeyedMutationOptions<Request, Response, Failure>;
}

/**
 * Creates queries and mutations for one method. Query keys have the type `Key`.
 */
export interface QueryMethod<
  Request,
  Response,
  Failure,
  Key,
> extends MutationMethod<Request, Response, Failure> {
  /**
   * The prefix of all query keys of the method, e.g. `["Shop", "getOrder"]`.
   * Use it to invalidate all queries of the method. In a key, the request
   * follows in its JSON form, with every `bigint` as a string.
   */
  readonly key: QueryKey;
  /** Returns the options for a query. */
  queryOptions(
    ...args: QueryArguments<Request>
  ): QueryOptions<Key, QueryFunction<Response>, Failure>;
}

/** Creates queries for a method that returns one page at a time. */
export interface PagedQueryMethod<
  Request,
  Response,
  Failure,
  Key,
  PagesKey,
  Page,
> extends QueryMethod<Request, Response, Failure, Key> {
  /** Returns the options for an infinite query. */
  infiniteQueryOptions(
    ...args: QueryArguments<Request>
  ): InfiniteQueryOptions<
    PagesKey,
    PageFunction<Response, Page>,
    Failure,
    Response,
    Page
  >;
}

/**
 * Creates queries for a streaming method. The data is the list of items
 * received so far.
 */
export interface StreamQueryMethod<Request, Item, Failure, Key, QueryFunction> {
  /** The prefix of all query keys of the method. */
  readonly key: QueryKey;
  /** Returns the options for a query. */
  queryOptions(
    ...args: QueryArguments<Request, QueryStreamOptions<Request, Item>>
  ): QueryOptions<Key, QueryFunction, Failure>;
}

/** A call whose request may be optional. */
type AnyCall<Request, Result, Options = CallOptions> = {
  // A method signature, so that a call with a required request is assignable.
  call(request?: Request, options?: Options): Result;
}["call"];

/** Creates mutations for a method. */
export function mutationMethod<Request, Response, Failure>(
  call: AnyCall<Request, Promise<Response>>,
  service: QueryKey,
  name: string,
): MutationMethod<Request, Response, Failure> {
  return {
    mutationOptions: (options) => ({
      mutationKey: [...service, name],
      mutationFn: (request) => call(request as Request, options),
    }),
  };
}

/**
 * Creates mutations for a method with `@idempotencyKey`. All attempts of one
 * `mutate` send the same key, also after a pause, and after the mutation was
 * stored and restored. If the first attempt is still running, a later one waits
 * for its answer, for `timeoutMs` or five minutes.
 */
export function keyedMutationMethod<Request, Response, Failure>(
  call: AnyCall<Request, Promise<Response>>,
  service: QueryKey,
  name: string,
): KeyedMutationMethod<Request, Response, Failure> {
  return {
    mutationOptions({ idempotencyKey: keyOfRequest, ...options } = {}) {
      if (keyOfRequest && typeof keyOfRequest !== "function")
        throw new TypeError("idempotencyKey: expected a function");
      return {
        mutationKey: [...service, name],
        mutationFn: async (request, context) => {
          const idempotencyKey =
            keyOfRequest?.(request as Request) ??
            keyOfMutation(request, context);
          const { timeoutMs } = options;
          const own = {
            ...options,
            ...(idempotencyKey !== undefined && { idempotencyKey }),
          };
          const end = performance.now() + (timeoutMs ?? maxWaitMs);
          const leftMs = (): number => Math.max(end - performance.now(), 0);
          for (;;) {
            const limit = timeoutMs !== undefined && { timeoutMs: leftMs() };
            try {
              return await call(request as Request, { ...own, ...limit });
            } catch (error) {
              if (!isStillRunning(error)) throw error;
            }
            if (leftMs() < pollMs) throw createTransportErrorAs("timeout");
            await new Promise((resolve) => setTimeout(resolve, pollMs));
          }
        },
      };
    },
  };
}

/** Time between two requests for the answer of a running call. */
const pollMs = 1000;

/** Default of how long a mutation waits for the answer of a running call. */
const maxWaitMs = 300_000;

/** Marks a mutation of this process whose calls have a key. */
const hasKey: unique symbol = Symbol("has an idempotency key");

/**
 * Returns the key of a mutation. TanStack Query passes the same context to all
 * attempts, but not the mutation. So the first attempt takes any mutation with
 * the same variables that has no context yet. The key becomes a part of its
 * state, because TanStack Query stores nothing else of a paused mutation.
 */
function keyOfMutation(
  variables: unknown,
  context: MutationContext & { readonly idempotencyKey?: string },
): string | undefined {
  if (context.idempotencyKey !== undefined) return context.idempotencyKey;
  const method = JSON.stringify(context.mutationKey);
  const cache = context.client.getMutationCache();
  const mutation = cache
    .getAll()
    .find(
      (each) =>
        each.state.status === "pending" &&
        each.state.variables === variables &&
        !(hasKey in each) &&
        JSON.stringify(each.options.mutationKey) === method,
    );
  const { idempotencyKey = randomKey() } = mutation?.state ?? {};
  Object.assign(context, { idempotencyKey });
  if (mutation !== undefined) {
    Object.assign(mutation.state, { idempotencyKey });
    Object.assign(mutation, { [hasKey]: true });
    // Stores the key before it is sent, if mutations are stored while they run.
    cache.notify({ type: "updated", mutation, action: { type: "continue" } });
  }
  return idempotencyKey;
}

/** Creates queries and mutations for a method. */
export function queryMethod<Request, Response, Failure, Key extends QueryKey>(
  call: AnyCall<Request, Promise<Response>>,
  service: QueryKey,
  name: string,
): QueryMethod<Request, Response, Failure, Key> {
  const key = [...service, name];
  return {
    ...mutationMethod(call, service, name),
    key,
    queryOptions: (request?: Request, options?: QueryCallOptions) => ({
      queryKey: keyOf<Key>(key, request, options),
      queryFn: ({ signal }) => call(request, { ...options, signal }),
    }),
  };
}

/**
 * Creates queries and mutations for a method that returns one page at a time.
 */
export function pagedQueryMethod<
  Request,
  Response,
  Failure,
  Key extends QueryKey,
  PagesKey extends QueryKey,
  Page,
>(
  call: AnyCall<Request, Promise<Response>>,
  service: QueryKey,
  name: string,
  { at, next, pageOf }: Paging<Request, Response, Page>,
): PagedQueryMethod<Request, Response, Failure, Key, PagesKey, Page> {
  const methods = queryMethod<Request, Response, Failure, Key>(
    call,
    service,
    name,
  );
  return {
    ...methods,
    infiniteQueryOptions: (given?: Request, options?: QueryCallOptions) => {
      const request = given ?? ({} as Request);
      return {
        // Cached pages need a different key from a single response.
        queryKey: keyOf<PagesKey>(methods.key, request, options, {
          pages: true,
        }),
        queryFn: async ({ pageParam, signal }) => {
          const response = await call(
            pageParam === undefined ? request : at(request, pageParam),
            { ...options, signal },
          );
          // TanStack Query reads the next page while it renders, where an error
          // would have no query.
          next(response, pageParam);
          return response;
        },
        initialPageParam: pageOf(request),
        getNextPageParam: (last, _, asked, allAsked) => {
          const page = next(last, asked);
          // Otherwise, a server that repeats a page would be asked forever.
          return allAsked.some((each) => pageKey(each) === pageKey(page))
            ? undefined
            : page;
        },
      };
    },
  };
}

/**
 * Creates queries for a streaming method.
 *
 * Input: `toQuery` creates a query function from a stream, e.g. with
 * `streamedQuery` from TanStack Query.
 */
export function streamQueryMethod<
  Request,
  Item,
  Failure,
  Key extends QueryKey,
  Query,
>(
  call: AnyCall<Request, AsyncIterable<Item>, StreamOptions<Request, Item>>,
  service: QueryKey,
  name: string,
  toQuery: (open: (context: QueryContext) => AsyncIterable<Item>) => Query,
): StreamQueryMethod<Request, Item, Failure, Key, Query> {
  const key = [...service, name];
  return {
    key,
    queryOptions: (
      request?: Request,
      options?: QueryStreamOptions<Request, Item>,
    ) => ({
      queryKey: keyOf<Key>(key, request, options),
      queryFn: toQuery(({ signal }) => call(request, { ...options, signal })),
    }),
  };
}

/**
 * Returns the key of one query. The key is JSON-serializable, so that it can be
 * hashed and stored.
 */
function keyOf<Key extends QueryKey>(
  key: QueryKey,
  request: unknown = {},
  { parameters }: QueryCallOptions = {},
  kind?: object,
): Key {
  const rest = parameters || kind ? [{ ...kind, parameters }] : [];
  const text = JSON.stringify([...key, request, ...rest], (_, value) =>
    typeof value === "bigint" ? `${value}` : value,
  );
  return JSON.parse(text);
}

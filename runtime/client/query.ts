import type { CallOptions } from "./call.js";
import type { TransportError } from "./transport-error.js";

/**
 * Options for TanStack Query of any framework. They are plain data, so nothing of
 * it is imported here.
 */

/** The service, the method and the request; see {@link QueryMethod.key}. */
export type QueryKey = readonly unknown[];

/** What holds for the calls of a query; TanStack Query aborts them itself. */
export type QueryCallOptions = Omit<CallOptions, "signal">;

/** The request may be left out when it has no field that must be there. */
export type QueryArguments<Request> = {} extends Request
  ? [request?: Request, options?: QueryCallOptions]
  : [request: Request, options?: QueryCallOptions];

/**
 * Never there: TanStack Query takes the type of errors from these, as no type of
 * a function says what it throws. They are methods, because it compares the
 * parameters of functions more strictly.
 */
interface QueryErrors<Failure> {
  retryDelay?(count: number, error: Failure | TransportError): number;
  throwOnError?(error: Failure | TransportError): boolean;
}

/** Options of a query. */
export interface QueryOptions<
  Key,
  QueryFunction,
  Failure,
> extends QueryErrors<Failure> {
  readonly queryKey: Key;
  readonly queryFn: QueryFunction;
}

/** Options of a query that grows by a page at a time. */
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
  ) => Page | undefined;
}

/** Options of a mutation; its variables are the request. */
export interface MutationOptions<
  Request,
  Response,
  Failure,
> extends QueryErrors<Failure> {
  readonly mutationKey: QueryKey;
  readonly mutationFn: (request: Variables<Request>) => Promise<Response>;
}

/** What `mutate` takes: nothing, if no field of the request must be there. */
export type Variables<Request> = {} extends Request ? Request | void : Request;

/** What TanStack Query tells a query. */
interface QueryContext {
  readonly signal: AbortSignal;
}

/** Calls the server. */
export type QueryFunction<Response> = (
  context: QueryContext,
) => Promise<Response>;

/** Calls the server for one page. */
export type PageFunction<Response, Page> = (
  context: QueryContext & { readonly pageParam: Page | undefined },
) => Promise<Response>;

/** The mutations of one method. */
export interface MutationMethod<Request, Response, Failure> {
  mutationOptions(
    options?: QueryCallOptions,
  ): MutationOptions<Request, Response, Failure>;
}

/** The queries and mutations of one method; keys of queries are `Key`s. */
export interface QueryMethod<
  Request,
  Response,
  Failure,
  Key,
> extends MutationMethod<Request, Response, Failure> {
  /**
   * How the keys of its queries begin, e.g. `["Shop", "getOrder"]`: with it, all
   * of them are invalidated. The request comes next, as JSON has it, with every
   * `bigint` as text.
   */
  readonly key: QueryKey;
  queryOptions(
    ...args: QueryArguments<Request>
  ): QueryOptions<Key, QueryFunction<Response>, Failure>;
}

/** A method that answers a page at a time. */
export interface PagedQueryMethod<
  Request,
  Response,
  Failure,
  Key,
  PagesKey,
  Page,
> extends QueryMethod<Request, Response, Failure, Key> {
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

/** A method that streams. The data of a query is all items until now. */
export interface StreamQueryMethod<Request, Failure, Key, QueryFunction> {
  /** As that of any other method. */
  readonly key: QueryKey;
  queryOptions(
    ...args: QueryArguments<Request>
  ): QueryOptions<Key, QueryFunction, Failure>;
}

/** A call, whether or not its request may be left out. */
type AnyCall<Request, Result> = {
  // A method, because a function whose request must be there takes less.
  call(request?: Request, options?: CallOptions): Result;
}["call"];

/** How a method answers page by page. */
export interface Paging<Request, Response, Page> {
  /** The page that a request asks for; undefined for the first. */
  readonly pageOf: (request: Request) => Page | undefined;
  /** The request for a page. */
  readonly at: (request: Request, page: Page) => Request;
  /** The page after a response to that page; undefined when it was the last. */
  readonly next: (
    response: Response,
    asked: Page | undefined,
  ) => Page | undefined;
}

/**
 * The page after one that has a number; undefined after the last. Size, order and
 * whatever else the request asked for stay as they are.
 */
export function nextPage<
  Page extends { readonly page?: number; readonly more?: boolean },
>(
  answered: Page | null | undefined,
  asked: Page | undefined,
): Page | undefined {
  if (!answered?.more) return undefined;
  const page = (answered.page ?? asked?.page ?? 1) + 1;
  return { ...answered, ...asked, page };
}

/** Makes the mutations of a method. */
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

/** Makes the queries and mutations of a method. */
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

/** Makes those of a method that answers a page at a time. */
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
        // Pages are another thing in the cache than one response.
        queryKey: keyOf<PagesKey>(methods.key, request, options, {
          pages: true,
        }),
        queryFn: ({ pageParam, signal }) =>
          call(pageParam === undefined ? request : at(request, pageParam), {
            ...options,
            signal,
          }),
        initialPageParam: pageOf(request),
        getNextPageParam: (last, _, asked) => next(last, asked),
      };
    },
  };
}

/**
 * Makes the queries of a method that streams.
 *
 * Input: `toQuery`, which makes a query of a stream, by `streamedQuery` of
 * TanStack Query.
 */
export function streamQueryMethod<
  Request,
  Item,
  Failure,
  Key extends QueryKey,
  Query,
>(
  call: AnyCall<Request, AsyncIterable<Item>>,
  service: QueryKey,
  name: string,
  toQuery: (open: (context: QueryContext) => AsyncIterable<Item>) => Query,
): StreamQueryMethod<Request, Failure, Key, Query> {
  const key = [...service, name];
  return {
    key,
    queryOptions: (request?: Request, options?: QueryCallOptions) => ({
      queryKey: keyOf<Key>(key, request, options),
      queryFn: toQuery(({ signal }) => call(request, { ...options, signal })),
    }),
  };
}

/** The key of one query: JSON, so that it can be hashed and stored. */
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

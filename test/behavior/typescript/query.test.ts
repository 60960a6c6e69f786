import {
  experimental_streamedQuery,
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  QueryObserver,
  type DataTag,
  type InfiniteData,
  type QueryFunction,
} from "@tanstack/query-core";
import { expect, expectTypeOf, it, onTestFinished, vi } from "vitest";
import {
  createClient,
  rpc,
} from "../../../runtime/typescript/codegen/create-client.js";
import type {
  ClientMethod,
  ClientOptions,
  Fetch,
  CallError,
} from "../../../runtime/typescript/client/client.js";
import { nextPage } from "../../../runtime/typescript/client/pages.js";
import {
  pagedQueryMethod,
  queryMethod,
  streamQueryMethod,
  type PagedQueryMethod,
  type QueryKey,
  type QueryMethod,
  type StreamQueryMethod,
} from "../../../runtime/typescript/codegen/query.js";
import {
  createStreams,
  stream,
} from "../../../runtime/typescript/codegen/create-streams.js";
import { resumeAfter } from "../../../runtime/typescript/codegen/resume-stream.js";
import type { StreamMethod } from "../../../runtime/typescript/client/stream.js";
import {
  isRpcError,
  type RpcError,
} from "../../../runtime/typescript/wire/errors.js";
import { stringifyMessage } from "../../../runtime/typescript/codegen/message-json.js";

type Gone = RpcError<"Geoblocked">;
type Failure = CallError<Gone>;

interface Get {
  readonly id: bigint;
}
interface Order {
  readonly note: string;
}
interface Page {
  readonly page?: number;
  readonly pageSize?: number;
  readonly more?: boolean;
}
interface List {
  readonly owner?: string;
  readonly page?: Page;
}
interface Orders {
  readonly orders: readonly string[];
  readonly page: Page;
}
interface After {
  readonly after?: number;
}
interface Tick {
  readonly n: number;
}

const getOrder: ClientMethod<Get, Order, Gone> = rpc("/rpc/Shop/GetOrder", {
  stringify: stringifyMessage,
});
const listOrders: ClientMethod<List, Orders, Gone> = rpc("/rpc/Shop/List");
const watch: StreamMethod<After, Tick, Gone> = stream("/rpc/Shop/Watch");

/** Creates queries as generated code does, for a server that runs `answer`. */
function createQueries(answer: Fetch, ticking = watch) {
  const options: ClientOptions = { baseUrl: "https://eu.test", fetch: answer };
  const calls = createClient(options, { getOrder, listOrders });
  const streams = createStreams(options, { watch: ticking });
  const key = ["eu", "Shop"];
  const get: QueryMethod<
    Get,
    Order,
    Gone,
    DataTag<QueryKey, Order, Failure>
  > = queryMethod(calls.getOrder, key, "getOrder");
  const list: PagedQueryMethod<
    List,
    Orders,
    Gone,
    DataTag<QueryKey, Orders, Failure>,
    DataTag<QueryKey, InfiniteData<Orders, Page | undefined>, Failure>,
    Page
  > = pagedQueryMethod(calls.listOrders, key, "list", {
    pageOf: ({ page }) => page,
    at: (request, page) => ({ ...request, page }),
    next: ({ page }, asked) => nextPage(page, asked),
  });
  const ticks: StreamQueryMethod<
    After,
    Tick,
    Gone,
    DataTag<QueryKey, Tick[], Failure>,
    QueryFunction<Tick[]>
  > = streamQueryMethod(streams.watch, key, "watch", (streamFn) =>
    experimental_streamedQuery({ streamFn }),
  );
  return { get, list, ticks };
}

function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false }, mutations: { retry: false } },
  });
  onTestFinished(() => client.clear());
  return client;
}

function json(value: unknown, status = 200): Response {
  return Response.json(value, { status });
}

it("fetches, caches, and types responses", async () => {
  const answer = vi.fn(async () => json({ note: "two" }));
  const { get } = createQueries(answer);
  const client = createQueryClient();
  const options = get.queryOptions({ id: 2n ** 60n }, { timeoutMs: 5000 });

  expect(await client.fetchQuery(options)).toEqual({ note: "two" });
  expect(options.queryKey).toEqual([
    "eu",
    "Shop",
    "getOrder",
    { id: "1152921504606846976" },
  ]);
  const kept = client.getQueryData(options.queryKey);
  expect(kept).toEqual({ note: "two" });
  expectTypeOf(kept).toEqualTypeOf<Order | undefined>();
  expect(answer).toHaveBeenCalledWith(
    "https://eu.test/rpc/Shop/GetOrder",
    expect.objectContaining({ body: '{"id":1152921504606846976}' }),
  );
});

it("gives equal requests equal keys, and different requests different keys", () => {
  const { list } = createQueries(async () => json({}));
  const keyOf = (...args: Parameters<typeof list.queryOptions>) =>
    JSON.stringify(list.queryOptions(...args).queryKey);

  expect(keyOf({})).toBe(keyOf());
  expect(keyOf({ owner: "a" })).not.toBe(keyOf());
  const there = { parameters: { network: "polygon" } };
  expect(keyOf({}, there)).not.toBe(keyOf());
  expect(keyOf({}, { timeoutMs: 1, headers: { a: "b" } })).toBe(keyOf());
  expect(JSON.stringify(list.infiniteQueryOptions().queryKey)).not.toBe(
    keyOf(),
  );
});

it("has the method's name in every key", () => {
  const { get, list, ticks } = createQueries(async () => json({}));
  expect(get.mutationOptions().mutationKey).toEqual(["eu", "Shop", "getOrder"]);
  expect(list.key).toEqual(["eu", "Shop", "list"]);
  expect(ticks.key).toEqual(["eu", "Shop", "watch"]);
});

it("requests the first page with the request as it is", async () => {
  const call = vi.fn(async () => ({}));
  const { infiniteQueryOptions } = pagedQueryMethod(
    Object.assign(call, { result: call }),
    [],
    "list",
    {
      pageOf: ({ page }) => page,
      at: (request: List, page: Page): List => ({ ...request, page }),
      next: () => undefined,
    },
  );
  const { signal } = new AbortController();
  const { queryFn } = infiniteQueryOptions({ owner: "a" });
  await queryFn({ pageParam: undefined, signal });
  expect(call.mock.calls).toStrictEqual([[{ owner: "a" }, { signal }]]);
});

it("invalidates the queries of one method by its key", async () => {
  const { get, list } = createQueries(async () => json({ note: "" }));
  const client = createQueryClient();
  const one = get.queryOptions({ id: 1n });
  const all = list.queryOptions();
  await client.fetchQuery(one);
  await client.fetchQuery(all);

  await client.invalidateQueries({ queryKey: get.key });
  expect(client.getQueryState(one.queryKey)?.isInvalidated).toBe(true);
  expect(client.getQueryState(all.queryKey)?.isInvalidated).toBe(false);
});

it("passes on the contract's errors with their types", async () => {
  const { get } = createQueries(async () =>
    json({ webrpcError: "Geoblocked", error: "Geoblocked", code: 1006 }, 451),
  );
  const observer = new QueryObserver(createQueryClient(), {
    ...get.queryOptions({ id: 1n }),
  });
  onTestFinished(observer.subscribe(() => {}));
  await expect.poll(() => observer.getCurrentResult().isError).toBe(true);
  const { error } = observer.getCurrentResult();
  expect(isRpcError(error)).toBe(true);
  expectTypeOf(error).toEqualTypeOf<Failure | null>();
});

it("aborts a call whose result is no longer needed", async () => {
  let signal: AbortSignal | null | undefined = null;
  const { get } = createQueries((_, init) => {
    signal = init.signal;
    return new Promise((_, reject) => {
      init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  });
  const client = createQueryClient();
  const observer = new QueryObserver(client, get.queryOptions({ id: 1n }));
  const leave = observer.subscribe(() => {});
  await expect.poll(() => signal).not.toBeNull();
  leave();
  await expect.poll(() => signal?.aborted).toBe(true);
});

it("requests pages one after another", async () => {
  const asked: unknown[] = [];
  const { list } = createQueries(async (_, init) => {
    const request = JSON.parse(String(init.body));
    asked.push(request);
    const page = request.page?.page ?? 1;
    return json({ orders: [`${page}`], page: { page, more: page < 3 } });
  });
  const client = createQueryClient();
  const observer = new InfiniteQueryObserver(
    client,
    list.infiniteQueryOptions({ owner: "a" }),
  );
  onTestFinished(observer.subscribe(() => {}));
  const { fetchNextPage } = observer;
  await observer.refetch();
  await fetchNextPage.call(observer);
  await fetchNextPage.call(observer);

  const { data, hasNextPage } = observer.getCurrentResult();
  expect(data?.pages.flatMap(({ orders }) => orders)).toEqual(["1", "2", "3"]);
  expect(hasNextPage).toBe(false);
  expect(asked.at(-1)).toEqual({ owner: "a", page: { page: 3, more: true } });
  const kept = client.getQueryData(
    list.infiniteQueryOptions({ owner: "a" }).queryKey,
  );
  expectTypeOf(kept).toEqualTypeOf<
    InfiniteData<Orders, Page | undefined> | undefined
  >();
});

it("fails if the next page cannot be read, and does not read a page twice", async () => {
  const answers = [{ next: "" }, { next: "b" }, { next: "c" }, { next: "b" }];
  const call = vi.fn(async () => answers[call.mock.calls.length - 1] ?? {});
  const { infiniteQueryOptions } = pagedQueryMethod(
    Object.assign(call, { result: call }),
    [],
    "list",
    {
      pageOf: ({ after }: { after?: string }) => after,
      at: (_, after: string) => ({ after }),
      next: ({ next }: { next?: string }) => {
        if (next === "") throw new Error("unreadable");
        return next;
      },
    },
  );
  const observer = new InfiniteQueryObserver(
    createQueryClient(),
    infiniteQueryOptions(),
  );
  onTestFinished(observer.subscribe(() => {}));
  const current = () => observer.getCurrentResult();
  await expect.poll(() => current().isError).toBe(true);
  expect(current().error).toMatchObject({ message: "unreadable" });
  await observer.refetch();
  while (current().hasNextPage && call.mock.calls.length < 9)
    await observer.fetchNextPage();
  expect(current().data?.pageParams).toEqual([undefined, "b", "c"]);
});

it("keeps the page options of the request, and counts pages if the server does not", () => {
  const asked: Page = { page: 2, pageSize: 5 };
  expect(nextPage({ page: 2, more: true }, asked)).toEqual({
    page: 3,
    pageSize: 5,
    more: true,
  });
  expect(nextPage({ more: true }, asked)).toMatchObject({ page: 3 });
  expect(nextPage({ page: 0, more: true }, undefined)).toMatchObject({
    page: 1,
  });
  expect(nextPage({ more: true }, undefined)).toMatchObject({ page: 2 });
  expect(nextPage({ page: 2, more: false }, asked)).toBeUndefined();
});

it("needs no variables for a request without required fields", async () => {
  const { list } = createQueries(async () => json({ orders: [], page: {} }));
  const options = list.mutationOptions();
  const observer = new MutationObserver(createQueryClient(), options);
  expect(await observer.mutate()).toEqual({ orders: [], page: {} });
});

it("extends a query's data with every item of a stream", async () => {
  const { ticks } = createQueries(
    async () =>
      new Response('{"n":1}\n{"n":2}\n', {
        headers: { "content-type": "application/x-ndjson" },
      }),
  );
  const client = createQueryClient();
  const items = await client.fetchQuery(ticks.queryOptions());
  expect(items).toEqual([{ n: 1 }, { n: 2 }]);
  expectTypeOf(items).toEqualTypeOf<Tick[]>();
});

it("reconnects a lost stream with the stream's options", async () => {
  const ndjson = { "content-type": "application/x-ndjson" };
  const answer = vi.fn(async (_url: string, init: RequestInit) =>
    init.body === "{}"
      ? new Response('{"n":1}\n{"n":', { headers: ndjson })
      : new Response('{"n":2}\n', { headers: ndjson }),
  );
  const { ticks } = createQueries(answer);
  const options = ticks.queryOptions(
    {},
    {
      silenceMs: 5000,
      reconnect: {
        minDelayMs: 1,
        resume: (request, last) => ({ ...request, after: last?.n ?? 0 }),
      },
    },
  );
  const items = await createQueryClient().fetchQuery(options);
  expect(items).toEqual([{ n: 1 }, { n: 2 }]);
  expect(answer.mock.lastCall?.[1].body).toBe('{"after":1}');
});

it("resumes a lost stream as its method says", async () => {
  const ndjson = { "content-type": "application/x-ndjson" };
  const answer = vi.fn(async (_url: string, init: RequestInit) =>
    init.body === "{}"
      ? new Response('{"n":1}\n{"n":', { headers: ndjson })
      : new Response('{"n":2}\n', { headers: ndjson }),
  );
  const resumed = stream<After, Tick, Gone>("/rpc/Shop/Watch", {
    resume: resumeAfter("after", "n"),
  });
  const { ticks } = createQueries(answer, resumed);
  const options = ticks.queryOptions({}, { reconnect: { minDelayMs: 1 } });
  const items = await createQueryClient().fetchQuery(options);
  expect(items).toEqual([{ n: 1 }, { n: 2 }]);
  expect(answer.mock.lastCall?.[1].body).toBe('{"after":1}');
});

it("uses the variables of a mutation as its request", async () => {
  const { get } = createQueries(async () => json({ note: "new" }));
  const observer = new MutationObserver(
    createQueryClient(),
    get.mutationOptions(),
  );
  const order = await observer.mutate({ id: 1n });
  expect(order).toEqual({ note: "new" });
  expectTypeOf(order).toEqualTypeOf<Order>();
  const { error } = observer.getCurrentResult();
  expectTypeOf(error).toEqualTypeOf<Failure | null>();
});

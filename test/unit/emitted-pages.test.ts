import { createServer } from "node:http";
import {
  afterAll,
  beforeAll,
  beforeEach,
  expect,
  expectTypeOf,
  it,
} from "vitest";
import { connect, TransportError } from "@ridlkit/runtime/client";
import { retry } from "@ridlkit/runtime/interceptors";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { items, nextNumberInLinks, pages } from "@ridlkit/runtime/pages";
import {
  createShopClient,
  type ListNotesResponse,
  type Order,
  OrderGoneError,
  type ShopClient,
  shopListAllPaging,
  shopListBothPaging,
  shopListHeldPaging,
  shopListLinkedPaging,
  shopListNotes,
  shopListNotesPaging,
  shopListNumberedPaging,
  shopListOrdersPaging2,
  shopListPartsPaging,
} from "../golden/fixtures/pages/expected/index.js";
import {
  createShopServer,
  type ShopHandler,
} from "../golden/fixtures/pages/expected/server.js";
import { listen } from "../support/listen.js";

/** The requests that handlers got, e.g. `notes b`. */
const asked: string[] = [];
const order = (id: bigint): Order => ({ id });

/** Pages of `listNotes` by owner: the notes and the next token of each token. */
const notes: Readonly<
  Record<string, Readonly<Record<string, ListNotesResponse>>>
> = {
  ann: {
    "": { notes: ["1", "2"], nextCursor: "b" },
    b: { nextCursor: "c" },
    c: { notes: ["3"] },
  },
  empty: { "": { notes: ["1"], nextCursor: "" } },
  same: {
    "": { notes: ["1"], nextCursor: "b" },
    b: { notes: ["2"], nextCursor: "b" },
  },
  circle: {
    "": { notes: ["1"], nextCursor: "b" },
    b: { notes: ["2"], nextCursor: "c" },
    c: { notes: ["3"], nextCursor: "b" },
  },
};

/** The header `Link` by the token of a page. */
const linked: Readonly<Record<string, string>> = {
  "": "<https://other.test/linked?x=%3E&after=a%26b>;rel=next",
  "a&b": '<?after=c>; REL="NEXT"',
  c: '<?after=d>; rel="prev nextish"',
  number: '<?page=2>; rel="next"',
};

let isBusy = false;

const shop: ShopHandler = {
  listOrders({ owner, page }) {
    asked.push(`orders ${JSON.stringify(page)}`);
    const number = owner === "stuck" ? 1 : (page?.page ?? 1);
    return {
      orders: [order(BigInt(number)), order(2n ** 60n)],
      page: { page: number, more: owner === "stuck" || number < 3 },
    };
  },
  listNotes({ cursor = "", owner }) {
    asked.push(`notes ${cursor}`);
    const page = notes[owner]?.[cursor];
    if (page === undefined) throw new OrderGoneError({ cause: cursor });
    return page;
  },
  listParts({ part: { after, size } }) {
    asked.push(`parts ${size} ${after}`);
    return after === undefined
      ? { orders: [order(1n)], next: "x" }
      : { orders: [order(2n)] };
  },
  listHeld({ "first-part": part = {} }) {
    asked.push(`held ${JSON.stringify(part)}`);
    const isLast = part["page-token"] === "x";
    return { orders: [order(1n)], nextPageToken: isLast ? null : "x" };
  },
  listAll: ({ cursor }) =>
    cursor === undefined
      ? { "all-orders": [order(1n)], "next-cursor": "x" }
      : { "all-orders": [order(2n)] },
  listBoth: ({ cursor }) =>
    cursor === undefined
      ? { orders: [], notes: ["1"], nextCursor: "x" }
      : { orders: [], notes: ["2"] },
  listOrdersPaging: () => ({ notes: [] }),
  // A link can be relative, and can have other relations beside it.
  listNumbered: ({ page = 1, per_page }) => ({
    notes: [`${page} of ${per_page}`],
    ...(page < 3 && {
      link: `</numbered?page=1>; rel="first", <?page=${page + 1}>; title="a, b"; rel="last next"`,
    }),
  }),
  listLinked({ start = "" }) {
    asked.push(`linked ${start}`);
    const links = linked[start];
    return { notes: [start], ...(links !== undefined && { links }) };
  },
  async *watch() {
    yield { notes: [] };
  },
};

const handler = toNodeHandler(createShopServer({ handlers: { shop } }));
const headers: (string | undefined)[] = [];
const server = createServer((request, response) => {
  headers.push(request.headers["x-trace"]?.toString());
  // Fails every other call, as an overloaded proxy does.
  if (isBusy && headers.length % 2 === 0) response.writeHead(503).end();
  else handler(request, response);
});
let client: ShopClient;
let baseUrl = "";
let close: () => Promise<void>;

beforeAll(async () => {
  ({ url: baseUrl, close } = await listen(server));
  client = createShopClient({ baseUrl });
});
afterAll(() => close());
beforeEach(() => {
  asked.length = 0;
  headers.length = 0;
  isBusy = false;
});

async function collect<Item>(all: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const each of all) found.push(each);
  return found;
}

it("reads all items, also past a page without any", async () => {
  const all = items(client.listNotes, shopListNotesPaging, { owner: "ann" });
  expectTypeOf(all).toEqualTypeOf<AsyncGenerator<string, void, undefined>>();
  expect(await collect(all)).toEqual(["1", "2", "3"]);
  expect(asked).toEqual(["notes ", "notes b", "notes c"]);
});

it("reads whole pages", async () => {
  const all = pages(client.listNotes, shopListNotesPaging, { owner: "ann" });
  expect(await collect(all)).toEqual([
    { notes: ["1", "2"], nextCursor: "b" },
    { nextCursor: "c" },
    { notes: ["3"] },
  ]);
});

it("reads numbered pages, and keeps their size", async () => {
  const paging = shopListOrdersPaging2;
  const request = { page: { pageSize: 2 } };
  const [first] = await collect(items(client.listOrders, paging, request));
  expect(first).toEqual({ id: 1n });
  expect(asked).toEqual([
    'orders {"pageSize":2}',
    'orders {"page":2,"more":true,"pageSize":2}',
    'orders {"page":3,"more":true,"pageSize":2}',
  ]);
});

it("needs no request if all its fields are optional", async () => {
  const all = await collect(items(client.listOrders, shopListOrdersPaging2));
  expect(all).toHaveLength(6);
  // @ts-expect-error: `owner` is required.
  void (() => items(client.listNotes, shopListNotesPaging));
});

it("keeps other fields of a struct that contains the token", async () => {
  const request = { part: { size: 5 } };
  const all = items(client.listParts, shopListPartsPaging, request);
  expect(await collect(all)).toEqual([{ id: 1n }, { id: 2n }]);
  expect(asked).toEqual(["parts 5 undefined", "parts 5 x"]);
  expect(request).toEqual({ part: { size: 5 } });
});

it("reads tokens in a field whose names are not identifiers", async () => {
  const request = { "first-part": { size: 5 } };
  const all = items(client.listHeld, shopListHeldPaging, request);
  expect(await collect(all)).toHaveLength(2);
  await collect(items(client.listHeld, shopListHeldPaging));
  expect(asked).toEqual([
    'held {"size":5}',
    'held {"size":5,"page-token":"x"}',
    "held {}",
    'held {"page-token":"x"}',
  ]);
});

it("reads a list whose name is not an identifier", async () => {
  const all = items(client.listAll, shopListAllPaging);
  expectTypeOf(all).toEqualTypeOf<AsyncGenerator<Order, void, undefined>>();
  expect(await collect(all)).toEqual([{ id: 1n }, { id: 2n }]);
});

it("has only pages if a response has several lists", async () => {
  expect(await collect(pages(client.listBoth, shopListBothPaging))).toEqual([
    { orders: [], notes: ["1"], nextCursor: "x" },
    { orders: [], notes: ["2"] },
  ]);
  // @ts-expect-error: it is unclear which list has the items.
  void (() => items(client.listBoth, shopListBothPaging));
  // @ts-expect-error: a stream has no pages.
  void (() => pages(client.watch, shopListBothPaging));
  // @ts-expect-error: this describes another method.
  void (() => pages(client.listAll, shopListNotesPaging));
});

it("begins with the page that the request names", async () => {
  const request = { owner: "ann", cursor: "c" };
  const all = items(client.listNotes, shopListNotesPaging, request);
  expect(await collect(all)).toEqual(["3"]);
});

it("treats an empty token as the end", async () => {
  const request = { owner: "empty" };
  const all = items(client.listNotes, shopListNotesPaging, request);
  expect(await collect(all)).toEqual(["1"]);
});

it("does not call before the first page is read", () => {
  pages(client.listNotes, shopListNotesPaging, { owner: "ann" });
  expect(asked).toEqual([]);
});

it("stops calling if the loop ends early", async () => {
  const all = items(client.listNotes, shopListNotesPaging, { owner: "ann" });
  for await (const note of all) if (note === "2") break;
  expect(asked).toEqual(["notes "]);
  expect(await all.next()).toEqual({ done: true, value: undefined });

  const read = pages(client.listNotes, shopListNotesPaging, { owner: "ann" });
  await read.next();
  await read.return();
  expect(await read.next()).toEqual({ done: true, value: undefined });
  expect(asked).toEqual(["notes ", "notes "]);
});

it("passes on an error after the pages before it", async () => {
  const read = pages(client.listNotes, shopListNotesPaging, {
    owner: "nobody",
  });
  await expect(read.next()).rejects.toBeInstanceOf(OrderGoneError);
  expect(await read.next()).toEqual({ done: true, value: undefined });

  const found: string[] = [];
  const all = items(
    async (request = { owner: "" }, options) =>
      client.listNotes(
        request.cursor === "c" ? { ...request, cursor: "z" } : request,
        options,
      ),
    shopListNotesPaging,
    { owner: "ann" },
  );
  await expect(async () => {
    for await (const note of all) found.push(note);
  }).rejects.toThrow(expect.objectContaining({ cause: "z" }));
  expect(found).toEqual(["1", "2"]);
});

it.each(["same", "circle"])(
  "fails if the server repeats a token: %s",
  async (owner) => {
    const found: string[] = [];
    const all = items(client.listNotes, shopListNotesPaging, { owner });
    const error: unknown = await (async () => {
      for await (const note of all) found.push(note);
    })().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({
      reason: "bad-response",
      status: 200,
      cause: "the next page was already read",
    });
    expect(found).toEqual(owner === "same" ? ["1", "2"] : ["1", "2", "3"]);
  },
);

it("fails if the server repeats a numbered page", async () => {
  const request = { owner: "stuck" };
  const all = pages(client.listOrders, shopListOrdersPaging2, request);
  await expect(collect(all)).rejects.toMatchObject({ reason: "bad-response" });
  expect(asked).toHaveLength(2);
});

it("uses the options for each call", async () => {
  const own = { headers: { "x-trace": "1" } };
  const request = { owner: "ann" };
  await collect(pages(client.listNotes, shopListNotesPaging, request, own));
  expect(headers).toEqual(["1", "1", "1"]);

  const controller = new AbortController();
  const read = pages(client.listNotes, shopListNotesPaging, request, {
    signal: controller.signal,
  });
  await read.next();
  controller.abort();
  await expect(read.next()).rejects.toMatchObject({ reason: "aborted" });
});

it("retries single pages with the client's interceptors", async () => {
  isBusy = true;
  const fast = createShopClient({
    baseUrl,
    use: [retry({ backoffMs: 1 })],
  });
  const request = { owner: "ann" };
  expect(
    await collect(items(fast.listNotes, shopListNotesPaging, request)),
  ).toEqual(["1", "2", "3"]);
});

it("accepts the call of a connection", async () => {
  const { call } = connect({ baseUrl });
  const all = items(
    (request: { readonly owner: string }, options) =>
      call(shopListNotes, request, options),
    shopListNotesPaging,
    { owner: "ann" },
  );
  expect(await collect(all)).toEqual(["1", "2", "3"]);
});

it("reads pages whose number is in a link", async () => {
  const request = { per_page: 5 };
  const found = items(client.listNumbered, shopListNumberedPaging, request);
  expect(await collect(found)).toEqual(["1 of 5", "2 of 5", "3 of 5"]);
});

it("reads pages whose token is in a link", async () => {
  const found = items(client.listLinked, shopListLinkedPaging);
  expect(await collect(found)).toEqual(["", "a&b", "c"]);
});

it("reports a link to a next page that it cannot read", async () => {
  const start = "number";
  const found = items(client.listLinked, shopListLinkedPaging, { start });
  await expect(collect(found)).rejects.toMatchObject({
    reason: "bad-response",
    cause: 'the link to the next page cannot be read: it has no "after"',
  });
});

it.each([
  [undefined, undefined],
  ["", undefined],
  ["<?page=7>", undefined],
  ["page=7; rel=next", undefined],
  ["<?page=7>; rel=next", 7],
  ["<?page=7#page=8>; rel=next", 7],
  ["<?page=1>; rel=prev, <?page=7>;rel = next , <?page=9>; rel=last", 7],
  [`${"<".repeat(100_000)}?page=7>; rel=next`, 7],
])("reads the number in %j", (links, number) => {
  expect(nextNumberInLinks(links, "page")).toBe(number);
});

it.each(["", "-1", "1.5", "1e3", "9999999999999999", "x"])(
  "refuses %j as the number of a page",
  (text) => {
    const links = `<?page=${text}>; rel=next`;
    expect(() => nextNumberInLinks(links, "page")).toThrow(TransportError);
  },
);

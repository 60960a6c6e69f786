import { deepEqual, equal } from "node:assert/strict";
import { MutationObserver, QueryClient } from "@tanstack/query-core";
import { createShopClient } from "../.work/query/core/index.js";
import { createShopQueries } from "../.work/query/core/query.js";

/** The keys of all attempts to place an order. The first attempt is lost. */
const keys: (string | null)[] = [];
const order = { id: 1, note: "a" };

const fetch = async (url: string, init: RequestInit): Promise<Response> => {
  switch (url.slice("http://shop/rpc/Shop/".length)) {
    case "ListOrders":
      return Response.json({ orders: [order], page: {} });
    case "PlaceOrder":
      keys.push(new Headers(init.headers).get("idempotency-key"));
      if (keys.length === 1) throw new TypeError("reset");
      return Response.json({ order });
    case "Watch": {
      const headers = { "content-type": "application/x-ndjson" };
      return new Response(`${JSON.stringify({ order })}\n`, { headers });
    }
    default:
      return Response.json({ order });
  }
};

const queries = createShopQueries(
  createShopClient({ baseUrl: "http://shop", fetch }),
);
const client = new QueryClient();

const got = await client.fetchQuery(queries.getOrder.queryOptions({ id: 1 }));
deepEqual(got, { order });

const listed = await client.fetchInfiniteQuery(
  queries.listOrders.infiniteQueryOptions({ owner: "a" }),
);
deepEqual(listed.pages, [{ orders: [order], page: {} }]);

const watched = await client.fetchQuery(queries.watch.queryOptions());
deepEqual(watched, [{ order }]);

const changed = await new MutationObserver(
  client,
  queries.changeNote.mutationOptions(),
).mutate({ id: 1, note: "a" });
deepEqual(changed, { order });

const placed = await new MutationObserver(client, {
  ...queries.placeOrder.mutationOptions(),
  retry: 1,
  retryDelay: 0,
}).mutate({ note: "a" });
deepEqual(placed, { order });
equal(keys.length, 2);
equal(keys[1], keys[0]);

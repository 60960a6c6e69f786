import { deepStrictEqual, strictEqual } from "node:assert";
import { QueryClient } from "@tanstack/react-query";
import { inProcess } from "@ridlkit/runtime/in-process";
import { transport } from "./client.js";
import { OrderNotFoundError } from "./generated/errors.js";
import { createShopServer } from "./generated/server.js";
import { orderOptions, orderPages, renameOptions } from "./orders.js";

let name = "old";
const server = createShopServer({
  handlers: {
    shop: {
      getOrder({ id }) {
        if (id === 404) throw new OrderNotFoundError();
        return { order: { id, name } };
      },
      listOrders: ({ cursor, customer }) =>
        cursor === undefined
          ? { orders: [{ id: 1, name: customer }], nextCursor: "2" }
          : { orders: [{ id: 2, name: customer }] },
      renameOrder(request) {
        name = request.name;
        return { order: request };
      },
    },
  },
});
transport.fetch = inProcess(server);

const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: Infinity } },
});
const { order } = await queries.fetchQuery(orderOptions(1));
strictEqual(order.name satisfies string, "old");
await queries.fetchQuery(orderOptions(404)).then(
  () => strictEqual(true, false),
  (error) => strictEqual(error instanceof OrderNotFoundError, true),
);
const pages = await queries.fetchInfiniteQuery({
  ...orderPages("Ada"),
  pages: 3,
});
deepStrictEqual(
  pages.pages.flatMap((page) => page.orders.map(({ id }) => id)),
  [1, 2],
);
const mutation = queries
  .getMutationCache()
  .build(queries, renameOptions(queries));
await mutation.execute({ id: 1, name: "new" });
strictEqual((await queries.fetchQuery(orderOptions(1))).order.name, "new");
queries.clear();

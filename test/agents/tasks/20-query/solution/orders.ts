import type { QueryClient } from "@tanstack/react-query";
import { client } from "./client.js";
import { createShopQueries } from "./generated/query.js";

const shop = createShopQueries(client);

export const orderOptions = (id: number) => shop.getOrder.queryOptions({ id });

export const orderPages = (customer: string) =>
  shop.listOrders.infiniteQueryOptions({ customer });

export const renameOptions = (queryClient: QueryClient) => ({
  ...shop.renameOrder.mutationOptions(),
  onSuccess: () =>
    queryClient.invalidateQueries({ queryKey: shop.getOrder.key }),
});

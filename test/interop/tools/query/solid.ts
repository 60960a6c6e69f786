import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/solid-query";
import type { ShopQueries } from "../.work/query/solid/query.js";
import type {
  GetOrderResponse,
  ListOrdersResponse,
  WatchResponse,
} from "../.work/query/solid/types.js";
import { expectType, type Failure } from "./expect-type.js";

/** Never called. The test is whether it compiles. */
export function component(shop: ShopQueries): void {
  const one = useQuery(() => shop.getOrder.queryOptions({ id: 1 }));
  expectType<GetOrderResponse | undefined>()(one.data);
  expectType<Failure | null>()(one.error);

  const pages = useInfiniteQuery(() =>
    shop.listOrders.infiniteQueryOptions({ owner: "a" }),
  );
  expectType<ListOrdersResponse[] | undefined>()(pages.data?.pages);

  const all = useQuery(() => shop.watch.queryOptions());
  expectType<WatchResponse[] | undefined>()(all.data);

  const change = useMutation(() => shop.changeNote.mutationOptions());
  expectType<Failure | null>()(change.error);
  change.mutate({ id: 1, note: "" });

  const { queryKey } = shop.getOrder.queryOptions({ id: 1 });
  const kept = useQueryClient().getQueryData(queryKey);
  expectType<GetOrderResponse | undefined>()(kept);
}

import {
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from "@tanstack/react-query";
import type { ShopQueries } from "../.work/query/react/query.js";
import type {
  GetOrderResponse,
  ListOrdersResponse,
  WatchResponse,
} from "../.work/query/react/types.js";
import { expectType, type Failure } from "./expect-type.js";

/** Never called. The test is whether it compiles. */
export function component(shop: ShopQueries): void {
  const one = useQuery(shop.getOrder.queryOptions({ id: 1 }));
  expectType<GetOrderResponse | undefined>()(one.data);
  expectType<Failure | null>()(one.error);

  const two = useSuspenseQuery(shop.getOrder.queryOptions({ id: 2 }));
  expectType<GetOrderResponse>()(two.data);
  expectType<Failure | null>()(two.error);

  const note = useQuery({
    ...shop.getOrder.queryOptions({ id: 3 }),
    select: ({ order }) => order.note,
  });
  expectType<string | undefined>()(note.data);

  const [first] = useQueries({
    queries: [shop.getOrder.queryOptions({ id: 4 })],
  });
  expectType<Failure | null>()(first.error);

  const pages = useInfiniteQuery(
    shop.listOrders.infiniteQueryOptions({ owner: "a" }),
  );
  expectType<ListOrdersResponse[] | undefined>()(pages.data?.pages);

  const all = useQuery(shop.watch.queryOptions());
  expectType<WatchResponse[] | undefined>()(all.data);

  const change = useMutation(shop.changeNote.mutationOptions());
  expectType<Failure | null>()(change.error);
  change.mutate({ id: 1, note: "" });

  const { queryKey } = shop.getOrder.queryOptions({ id: 1 });
  const kept = useQueryClient().getQueryData(queryKey);
  expectType<GetOrderResponse | undefined>()(kept);
}

// Creates options for [TanStack Query](../../query.md). The `query` target generates calls to these functions.
import * as query from "@ridlkit/runtime/codegen/query";
import { createShopClient, shopListBooksPaging } from "../generated/client.js";
import { options } from "../shop.js";

const shop = createShopClient(options);
const isbn = "9780262510875";
const service = ["Shop"];

const getBook = query.queryMethod(shop.getBook, service, "getBook");
console.log(getBook.queryOptions({ isbn }, { timeoutMs: 1000 }).queryKey);

const order = query.mutationMethod(shop.order, service, "order");
console.log(order.mutationOptions().mutationKey);

// With `@idempotencyKey`, the key of a call can be derived from its request.
const keyed = query.keyedMutationMethod(shop.order, service, "order");
const idempotencyKey = (request: object) => JSON.stringify(request);
console.log(keyed.mutationOptions({ idempotencyKey }).mutationKey);

const listBooks = query.pagedQueryMethod(
  shop.listBooks,
  service,
  "listBooks",
  shopListBooksPaging,
);
console.log(listBooks.infiniteQueryOptions().initialPageParam); // undefined

const watchPrice = query.streamQueryMethod(
  shop.watchPrice,
  service,
  "watchPrice",
  // TanStack Query provides `experimental_streamedQuery` for this.
  (open) => open({ signal: AbortSignal.timeout(1000) }),
);
for await (const { cents } of watchPrice.queryOptions({ isbn }).queryFn) {
  console.log(cents);
}

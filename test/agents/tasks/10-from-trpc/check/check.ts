import { deepStrictEqual, strictEqual } from "node:assert";
import { inProcess } from "@ridlkit/runtime/in-process";
import { createShopClient, shopGetBook } from "./generated/client.js";
import { router } from "./router.js";
import { shop } from "./server.js";

const options = { baseUrl: "", fetch: inProcess(shop) };
const client = createShopClient({
  ...options,
  credentials: { token: "token-of-ada" },
});
const isbn = "9780262510875";
const trpc = router.createCaller({ user: "Ada" });
deepStrictEqual(await client.getBook({ isbn }), await trpc.getBook({ isbn }));
deepStrictEqual(await client.order({ isbn, count: 1 }), { left: 1 });
deepStrictEqual(await trpc.order({ isbn, count: 1 }), { left: 0 });
void shopGetBook;

const none = "9790000000000";
const refused = [
  await client.getBook.result({ isbn: none }),
  await client.order.result({ isbn, count: 1 }),
  await client.order.result({ isbn, count: 11 }),
  await client.order.result({ isbn, count: 0 }),
  await client.order.result({ isbn: "1", count: 1 }),
  await client.getBook.result({ isbn: `${isbn}0` }),
  await createShopClient({
    ...options,
    credentials: { token: "other" },
  }).order.result({ isbn, count: 1 }),
];
deepStrictEqual(
  refused.map((result) => (result.ok ? "ok" : result.error.name)),
  [
    "BookNotFound",
    "SoldOut",
    ...Array.from({ length: 4 }, () => "WebrpcBadRequest"),
    "Unauthorized",
  ],
);

import { deepStrictEqual, strictEqual } from "node:assert";
import { inProcess } from "@ridlkit/runtime/in-process";
import { createOrdersClient } from "./generated/client.js";
import { all, orders } from "./orders.js";

const client = createOrdersClient({ baseUrl: "", fetch: inProcess(orders) });

const found: number[] = [];
let cursor: string | undefined;
let pages = 0;
do {
  const page = await client.listOrders({
    size: 15,
    ...(cursor !== undefined && { cursor }),
  });
  found.push(...page.orders.map(({ id }) => id));
  cursor = page.nextCursor;
  pages += 1;
  if (pages === 1) all.push({ id: 46, customer: "Eve" });
} while (cursor !== undefined && pages < 10);
strictEqual(pages, 3);
deepStrictEqual(
  found,
  Array.from({ length: 45 }, (_, index) => 45 - index),
);
const first = await client.listOrders({});
strictEqual(first.orders.length, 20);
strictEqual(typeof first.nextCursor, "string");
for (const size of [0, 101]) {
  const result = await client.listOrders.result({ size });
  strictEqual(result.ok ? 200 : result.error.status, 400);
}
const wrong = await client.listOrders.result({ cursor: "?" });
strictEqual(wrong.ok ? 200 : wrong.error.status < 500, true);

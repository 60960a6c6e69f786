import { deepStrictEqual, strictEqual } from "node:assert";
import { inProcess } from "@ridlkit/runtime/in-process";
import { createShopClient } from "./generated/client.js";
import { shop } from "./shop.js";

const client = createShopClient({ baseUrl: "", fetch: inProcess(shop) });
const found: [number | undefined, string | undefined][] = [];
for (const isbn of ["1", "2"]) {
  const result = await client.order.result({ isbn, count: 9 });
  if (result.ok || result.error.name !== "SoldOut") throw result;
  strictEqual(result.error.status, 409);
  found.push([result.error.data?.left, result.error.data?.restocked]);
}
deepStrictEqual(found, [
  [3, undefined],
  [0, "2026-12-01T00:00:00Z"],
]);
strictEqual((await client.order({ isbn: "1", count: 3 })).number, 7);

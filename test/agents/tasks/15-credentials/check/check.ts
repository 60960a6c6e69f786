import { deepStrictEqual, strictEqual } from "node:assert";
import { createShop } from "./client.js";
import { log, shop } from "./shop.js";

const headers: (string | null)[] = [];
const fetch: typeof globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  headers.push(request.headers.get("x-api-key"));
  return Promise.resolve(shop.fetch(request));
};
const ada = createShop(fetch, "key-1");
await ada.addBook({ isbn: "1", title: "SICP" });
await createShop(fetch, "key-2").addBook({ isbn: "2", title: "K&R" });
strictEqual((await ada.getTitle({ isbn: "1" })).title, "SICP");
deepStrictEqual(headers, ["key-1", "key-2", null]);
deepStrictEqual(log, ["Ada", "Bob"]);
const eve = createShop(fetch, "key-3");
const refused = await eve.addBook.result({ isbn: "3", title: "none" });
if (refused.ok) throw new Error("the key is not checked");
deepStrictEqual(
  [refused.error.name, refused.error.code, refused.error.status],
  ["Unauthorized", 1401, 401],
);
strictEqual((await eve.getTitle({ isbn: "3" })).title, undefined);

import { deepStrictEqual, strictEqual } from "node:assert";
import { retry } from "@ridlkit/runtime/interceptors";
import { inProcess } from "@ridlkit/runtime/in-process";
import { createShopClient } from "./generated/client.js";
import { shop } from "./shop.js";

let attempts = 0;
const answer = inProcess(shop);
const client = createShopClient({
  baseUrl: "",
  fetch: async (...args) => {
    attempts += 1;
    return attempts === 1
      ? new Response(null, { status: 503 })
      : answer(...args);
  },
  use: [retry({ attempts: 2, backoffMs: 1 })],
});

// The first attempt fails.
const { books } = await client.findBooks({ text: "atlas 1" });
deepStrictEqual(
  books.map(({ isbn }) => isbn).sort(),
  ["1", "11", "13", "15", "17", "19"].sort(),
);
strictEqual((await client.findBooks({ text: "L" })).books.length, 20);
deepStrictEqual(await client.findBooks({ text: "none" }), { books: [] });
for (const text of ["", "x".repeat(51)]) {
  const result = await client.findBooks.result({ text });
  strictEqual(result.ok ? 200 : result.error.status, 400);
}
strictEqual((await client.getBook({ isbn: "7" })).book.title, "Atlas 7");

// Reads the [pages](../../client.md#pages) of methods.
import {
  items,
  nextInLinks,
  nextNumberInLinks,
  nextPage,
  pages,
} from "@ridlkit/runtime/pages";
import { createShopClient, shopListBooksPaging } from "../generated/client.js";
import { options } from "../shop.js";

const shop = createShopClient(options);

for await (const { title } of items(shop.listBooks, shopListBooksPaging)) {
  console.log(title); // SICP
}

const request = { cursor: "" };
const read = pages(shop.listBooks, shopListBooksPaging, request, {
  timeoutMs: 5000,
});
for await (const { books, next } of read) console.log(books.length, next);

// What generated code contains for each method with pages. `nextPage` is for
// numbered pages, and the last two functions are for the header `Link`.
const { pageOf, at, next, items: list } = shopListBooksPaging;
console.log(pageOf({ cursor: "a" }), at({}, "b"));
console.log(next({ books: [], next: "c" }, undefined), list({ books: [] }));
console.log(nextPage({ page: 1, more: true }, undefined)); // page: 2
const links = '</books?page=2&after=b>; rel="next"';
console.log(nextInLinks(links, "after"), nextNumberInLinks(links, "page"));

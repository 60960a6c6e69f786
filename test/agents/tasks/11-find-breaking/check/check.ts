import { deepStrictEqual } from "node:assert";
import { createShopClient } from "./generated/client.js";

const answers: Record<string, unknown> = {
  GetBook: { book: { isbn: "1", title: "SICP", price: 7, note: "old" } },
  Order: { number: 1 },
  FindBooks: { books: [] },
  SearchBooks: { books: [] },
};
const client = createShopClient({
  baseUrl: "http://localhost",
  fetch: async (url) =>
    Response.json(answers[String(url).split("/").at(-1) ?? ""]),
});
const { book } = await client.getBook({ isbn: "1" });
deepStrictEqual(book, { isbn: "1", title: "SICP", price: 7, note: "old" });
await client.order({ isbn: "1" });
await client.order({ isbn: "1", customer: "Ada" });
await client.findBooks({ author: "Ada" });
await client.searchBooks({ text: "SICP" });

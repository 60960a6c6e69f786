import { strictEqual } from "node:assert";
import { inProcess } from "@ridlkit/runtime/in-process";
import { createShopHostClient } from "./generated/client.js";
import { BookNotFoundError } from "./generated/errors.js";
import { createShopServer } from "./generated/server.js";

const server = createShopServer({
  handlers: {
    books: {
      getBook() {
        throw new BookNotFoundError();
      },
    },
    orders: {
      placeOrder: ({ isbn }) => ({
        order: { number: 1, book: { isbn, title: "SICP" } },
      }),
    },
  },
});
const client = createShopHostClient({ baseUrl: "", fetch: inProcess(server) });
const { order } = await client.orders.placeOrder({ isbn: "1" });
strictEqual(order.book.title, "SICP");
const missing = await client.books.getBook.result({ isbn: "1" });
strictEqual(missing.ok ? "" : missing.error.name, "BookNotFound");

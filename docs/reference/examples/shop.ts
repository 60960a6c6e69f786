import { inProcess } from "@ridlkit/runtime/in-process";
import { BookNotFoundError } from "./generated/errors.js";
import { createShopServer } from "./generated/server.js";
import type { ShopServerOptions } from "./generated/server.js";

const book = { isbn: "9780262510875", title: "SICP", cents: 6400 };

export const required = {
  verifyApiKey: (key) => key === "secret",
  handlers: {
    shop: {
      getBook({ isbn }) {
        if (isbn !== book.isbn) throw new BookNotFoundError();
        return { book };
      },
      listBooks: () => ({ books: [book] }),
      order: () => ({ id: 7 }),
      async *watchPrice() {
        yield { cents: 6400 };
        yield { cents: 5900 };
      },
      uploadCover: async ({ cover }) => ({ bytes: cover.size ?? 0 }),
    },
  },
} satisfies ShopServerOptions;

export const server = createShopServer(required);

export const options = { baseUrl: "", fetch: inProcess(server) };

import { SoldOutError } from "./generated/errors.js";
import { createShopServer } from "./generated/server.js";

const stock = new Map([
  ["1", { left: 3, restocked: undefined }],
  ["2", { left: 0, restocked: "2026-12-01T00:00:00Z" }],
]);

export const shop = createShopServer({
  handlers: {
    shop: {
      order({ isbn, count }) {
        const book = stock.get(isbn);
        if (book === undefined || book.left < count) throw new SoldOutError();
        return { number: 7 };
      },
    },
  },
});

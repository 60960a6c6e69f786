import { BookNotFoundError } from "./generated/errors.js";
import { createShopServer } from "./generated/server.js";

const books = Array.from({ length: 30 }, (_, index) => ({
  isbn: String(index),
  title: index % 2 === 0 ? `Volume ${index}` : `Atlas ${index}`,
}));

export const shop = createShopServer({
  handlers: {
    shop: {
      getBook({ isbn }) {
        const book = books.find((each) => each.isbn === isbn);
        if (book === undefined) throw new BookNotFoundError();
        return { book };
      },
    },
  },
});

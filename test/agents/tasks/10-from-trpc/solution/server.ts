import { findBook, takeCopies, users } from "./books.js";
import { BookNotFoundError, SoldOutError } from "./generated/errors.js";
import { createShopServer } from "./generated/server.js";

export const shop = createShopServer({
  verifyToken: (token) => users.has(token),
  handlers: {
    shop: {
      getBook({ isbn }) {
        const book = findBook(isbn);
        if (book === undefined) throw new BookNotFoundError();
        return { book };
      },
      order({ isbn, count }) {
        const left = takeCopies(isbn, count);
        if (left === null) throw new SoldOutError();
        return { left };
      },
    },
  },
});

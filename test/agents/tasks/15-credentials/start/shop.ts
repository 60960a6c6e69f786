import { createShopServer } from "./generated/server.js";

const keys = new Map([
  ["key-1", "Ada"],
  ["key-2", "Bob"],
]);
const titles = new Map<string, string>();

/** The users who have added a book. */
export const log: string[] = [];

function addBook(user: string, isbn: string, title: string): void {
  log.push(user);
  titles.set(isbn, title);
}

export const shop = createShopServer({
  handlers: {
    shop: {
      getTitle({ isbn }) {
        const title = titles.get(isbn);
        return title === undefined ? {} : { title };
      },
      addBook({ isbn, title }) {
        addBook("nobody", isbn, title);
        return {};
      },
    },
  },
});

void keys;

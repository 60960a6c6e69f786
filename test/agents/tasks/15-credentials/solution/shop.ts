import { createKey } from "@ridlkit/runtime/server";
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

const userKey = createKey<string>("user");

export const shop = createShopServer({
  verifyApiKey(key, context) {
    const user = keys.get(key);
    if (user === undefined) return false;
    context.set(userKey, user);
    return true;
  },
  handlers: {
    shop: {
      getTitle({ isbn }) {
        const title = titles.get(isbn);
        return title === undefined ? {} : { title };
      },
      addBook({ isbn, title }, context) {
        addBook(context.get(userKey) ?? "", isbn, title);
        return {};
      },
    },
  },
});

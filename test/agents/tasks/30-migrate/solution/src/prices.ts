import { describe, find } from "./books.js";
import { apiClient } from "./api-client.js";
import { successOf, outcomeOf } from "./outcome.js";

/** Changes the price of a book, unless somebody else has changed it. */
export async function setPrice(id: number, price: number): Promise<string> {
  const book = await find(id);
  if (book === undefined) return `no book ${id}`;
  const { data } = await successOf(
    apiClient.books.replaceBook.result({
      bookId: id,
      ifMatch: `"${book.price ?? 0}"`,
      newBook: { title: book.title, price },
    }),
    "book",
  );
  return describe(data);
}

export async function remove(id: number): Promise<boolean> {
  const { response } = await outcomeOf(
    apiClient.books.removeBook.result({ bookId: id }),
    undefined,
    204,
  );
  return response?.status === 204;
}

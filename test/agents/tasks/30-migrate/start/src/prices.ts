import { removeBook, replaceBook } from "./api/index.js";
import { describe, find } from "./books.js";

/** Changes the price of a book, unless somebody else has changed it. */
export async function setPrice(id: number, price: number): Promise<string> {
  const book = await find(id);
  if (book === undefined) return `no book ${id}`;
  const { data } = await replaceBook({
    path: { "book-id": id },
    headers: { "If-Match": `"${book.price ?? 0}"` },
    body: { title: book.title, price },
    throwOnError: true,
  });
  return describe(data);
}

export async function remove(id: number): Promise<boolean> {
  const { response } = await removeBook({ path: { "book-id": id } });
  return response?.status === 204;
}

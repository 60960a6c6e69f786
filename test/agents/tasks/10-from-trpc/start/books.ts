const books = new Map([["9780262510875", { title: "SICP", copies: 2 }]]);

export const users = new Map([["token-of-ada", "Ada"]]);

export const findBook = (isbn: string) => books.get(isbn);

/** Takes copies from the shelf, unless there are too few. */
export function takeCopies(isbn: string, count: number): number | null {
  const book = books.get(isbn);
  if (book === undefined || book.copies < count) return null;
  book.copies -= count;
  return book.copies;
}

import { addBook, getBook, listBooks } from "./api/index.js";
import type { Book, GetBookData, Options } from "./api/index.js";

export function describe({ id, title, price }: Book): string {
  return `${id} ${title} ${price ?? "free"}`;
}

export async function listClassics(): Promise<readonly string[]> {
  const { data, error } = await listBooks({
    query: { limit: 20, tag: ["classic", "used & new"] },
  });
  if (error) throw new Error(error.message);
  return data.map(describe);
}

export async function add(title: string): Promise<string> {
  const { data, error, response } = await addBook({ body: { title } });
  if (error) return `${response?.status} ${error.message}`;
  return describe(data);
}

/** Options of calls for one book, which all have the same deadline. */
function optionsFor(id: number): Options<GetBookData> {
  return { path: { "book-id": id }, signal: AbortSignal.timeout(60_000) };
}

export async function find(id: number): Promise<Book | undefined> {
  const { data } = await getBook(optionsFor(id));
  return data;
}

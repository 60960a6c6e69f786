import type { Book } from "../generated/types.js";
import { apiClient } from "./api-client.js";
import { outcomeOf } from "./outcome.js";

export function describe({ id, title, price }: Book): string {
  return `${id} ${title} ${price ?? "free"}`;
}

export async function listClassics(): Promise<readonly string[]> {
  const { data, error } = await outcomeOf(
    apiClient.books.listBooks.result({
      limit: 20,
      tag: ["classic", "used & new"],
    }),
    "books",
  );
  if (error) throw new Error(error.message);
  return data.map(describe);
}

export async function add(title: string): Promise<string> {
  const { data, error, response } = await outcomeOf(
    apiClient.books.addBook.result({ title }),
    undefined,
    201,
  );
  if (error) return `${response?.status} ${error.message}`;
  return describe(data);
}

export async function find(id: number): Promise<Book | undefined> {
  const signal = AbortSignal.timeout(60_000);
  const { data } = await outcomeOf(
    apiClient.books.getBook.result({ bookId: id }, { signal }),
    "book",
  );
  return data;
}

import { initTRPC, tracked } from "@trpc/server";
import { z } from "zod";

/** What a book is about. */
type Genre = "novel" | "essay";

declare enum Size {
  Small = "small",
  Large = "large",
}

declare enum Stars {
  One = 1,
  Two = 2,
}

type Isbn = string & { readonly __brand: "Isbn" };

interface Person {
  name: string;
  /** Names that are not used anymore. */
  aliases?: string[] | null;
  friends: Person[];
}

/** A book in the library. */
interface Book {
  isbn: Isbn;
  title: string;
  genre: Genre;
  size: Size | null;
  stars?: Stars;
  author: Person;
  addedAt: Date;
  /** @deprecated Use `stars`. */
  rating: number;
  counts: Record<string, number>;
  print(): void;
}

interface Page<Item> {
  items: Item[];
  next: string | null;
}

type Payment =
  | { method: "card"; token: string; paidAt?: Date }
  | { method: "invoice"; email: string };

type Outcome = { ok: true; book: Book } | { ok: false; reason: string };

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

type Tree<Value> = { value: Value; left?: Tree<[Value]> };

class Money {
  readonly cents = 1;
  private readonly secret = 2;
  #hidden = 3;
  get text(): string {
    return `${this.cents + this.secret + this.#hidden}`;
  }
  double(): number {
    return this.cents * 2;
  }
}

class Price {
  toJSON(): string {
    return "1.00";
  }
}

const t = initTRPC.create();
const never = (): never => {
  throw new Error("not implemented");
};
const returns =
  <Value>() =>
  (): Value =>
    never();

export const appRouter = t.router({
  book: t.router({
    /** Returns one book. */
    byIsbn: t.procedure
      .input(z.object({ isbn: z.string() }))
      .query(returns<Promise<Book | null>>()),
    list: t.procedure.query(returns<Book[]>()),
    page: t.procedure.query(returns<Page<Book>>()),
    people: t.procedure.query(returns<Page<Person>>()),
    find: t.procedure.query(returns<Promise<Outcome>>()),
    /** @deprecated */
    titles: t.procedure.query(() => [{ isbn: "1", title: "SICP" }]),
    remove: t.procedure.mutation(() => {}),
    fail: t.procedure.mutation(never),
    pay: t.procedure.mutation(returns<{ payment: Payment; by?: Person }>()),
    added: t.procedure.subscription(async function* () {
      yield tracked("1", { isbn: "1" });
    }),
    counts: t.procedure.subscription(returns<AsyncIterable<number>>()),
    stream: t.procedure.query(returns<AsyncGenerator<Genre>>()),
  }),
  values: t.procedure.query(() => ({
    count: 1,
    isDone: Math.random() > 2,
    always: true as const,
    big: 1n,
    pair: ["a", 1] as [string, number],
    same: [1, 2] as const,
    text: undefined,
    skip: () => 1,
    map: new Map([["a", 1]]),
    bytes: new Uint8Array(),
    later: Promise.resolve(1),
    money: new Money(),
    price: new Price(),
    link: new URL("https://example.com"),
    size: `${Math.random()}px` as const,
    mixed: returns<"a" | "b" | number | null>()(),
    maybe: returns<string | undefined>()(),
    nothing: null,
    things: [1, undefined],
    some: returns<Partial<Record<Genre, number>>>()(),
    open: returns<{ id: string; [key: string]: string }>()(),
    ...returns<{ "a-b": string; __proto__: number }>()(),
  })),
  maybe: t.procedure.query(returns<string | undefined>()),
  json: t.procedure.query(returns<Json>()),
  tree: t.procedure.query(returns<Tree<string>>()),
  any: t.procedure.query(returns<any>()),
  unknown: t.procedure.query(returns<unknown>()),
  date: t.procedure.query(() => new Date()),
  custom: t.procedure
    .input((value: unknown): { name: string } => ({ name: String(value) }))
    .query(({ input }) => input.name),
});

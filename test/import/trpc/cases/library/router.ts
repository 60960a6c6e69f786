import { initTRPC } from "@trpc/server";
import { z } from "zod";

const t = initTRPC.meta<{ description?: string }>().create();
const signedIn = t.procedure.use(({ next }) => next());

const isbn = z.string().regex(/^97[89][0-9]{10}$/);
const genre = z.enum(["novel", "poetry", "essay"]);
const author = z.object({ id: z.uuid(), name: z.string().min(1).max(40) });
const shelf = z.object({
  name: z.string(),
  get parent(): z.ZodOptional<z.ZodType> {
    return shelf.optional();
  },
});
const book = z
  .object({
    isbn,
    title: z.string().max(20),
    genre,
    authors: z.array(author).min(1).max(3),
    pages: z.int32().positive(),
    rating: z.number().min(0).max(5).nullable(),
    tags: z.array(z.string().min(1)).optional(),
    counts: z.record(z.string(), z.int()),
    shelf: shelf.optional(),
    format: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("paper"), grams: z.number() }),
      z.object({ kind: z.literal("audio"), seconds: z.uint32() }),
    ]),
  })
  .describe("A book of the library.");
const page = z.object({
  limit: z.number().int().min(1).max(100).default(20),
  cursor: z.string().nullish(),
});

const books = new Map<string, z.infer<typeof book>>();

export const libraryRouter = t.router({
  version: t.procedure.output(z.string()).query(() => "1.0"),
  echo: t.procedure
    .input(z.string().min(2).max(4))
    .output(z.string().nullable())
    .query(({ input }) => (input === "null" ? null : input)),
  book: t.router({
    byIsbn: t.procedure
      .meta({ description: "Returns a book." })
      .input(z.object({ isbn }))
      .output(book.nullable())
      .query(({ input }) => books.get(input.isbn) ?? null),
    list: t.procedure
      .input(page.extend({ genre: genre.optional() }))
      .output(
        z.object({ items: z.array(book), nextCursor: z.string().optional() }),
      )
      .query(({ input }) => {
        const all = [...books.values()].filter(
          (each) => input.genre === undefined || each.genre === input.genre,
        );
        return { items: all.slice(0, input.limit) };
      }),
    save: signedIn
      .input(book)
      .output(book)
      .mutation(({ input }) => {
        books.set(input.isbn, input);
        return input;
      }),
    rename: signedIn
      .input(z.object({ isbn }))
      .input(z.object({ title: z.string().max(20) }))
      .output(book.pick({ isbn: true, title: true }))
      .mutation(({ input }) => input),
    remove: signedIn
      .input(z.object({ isbns: z.array(isbn).max(5) }))
      .output(z.void())
      .mutation(({ input }) => {
        for (const each of input.isbns) books.delete(each);
      }),
    find: t.procedure
      .input(
        z.union([
          z.object({ text: z.string() }),
          z.object({ author: z.uuid(), exact: z.boolean() }),
        ]),
      )
      .output(z.array(z.string()))
      .query(({ input }) => Object.keys(input)),
    pay: t.procedure
      .input(
        z
          .object({ note: z.string().max(9).nullish() })
          .and(
            z.discriminatedUnion("method", [
              z.object({ method: z.literal("card"), token: z.string() }),
              z.object({ method: z.literal("invoice"), email: z.string() }),
            ]),
          ),
      )
      .output(z.string())
      .mutation(({ input }) => JSON.stringify(input.note ?? input.method)),
    added: t.procedure
      .input(z.object({ lastEventId: z.string().optional() }).optional())
      .subscription(async function* () {
        yield* books.values();
      }),
  }),
});

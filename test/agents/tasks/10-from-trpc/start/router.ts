import { initTRPC, TRPCError } from "@trpc/server";
import { z } from "zod";
import { findBook, takeCopies } from "./books.js";

const t = initTRPC.context<{ readonly user: string | null }>().create();

const signedIn = t.procedure.use(({ ctx, next }) => {
  if (ctx.user === null) throw new TRPCError({ code: "UNAUTHORIZED" });
  return next({ ctx: { user: ctx.user } });
});

const isbn = z.string().regex(/^97[89][0-9]{10}$/);

export const router = t.router({
  getBook: t.procedure.input(z.object({ isbn })).query(({ input }) => {
    const book = findBook(input.isbn);
    if (!book) throw new TRPCError({ code: "NOT_FOUND" });
    return { book };
  }),
  order: signedIn
    .input(z.object({ isbn, count: z.number().int().min(1).max(10) }))
    .mutation(({ input }) => {
      const left = takeCopies(input.isbn, input.count);
      if (left === null) throw new TRPCError({ code: "CONFLICT" });
      return { left };
    }),
});

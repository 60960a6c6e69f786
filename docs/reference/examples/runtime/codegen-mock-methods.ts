// Creates handlers that respond with [mock data](../../mock.md). The `mock` target generates calls to these functions.
import {
  mockMethod,
  mockStatus,
  mockStream,
} from "@ridlkit/runtime/codegen/mock-methods";
import type { Draw } from "@ridlkit/runtime/mock";

const drawBook = (draw: Draw) => ({
  title: draw.text(3, 24),
  cents: draw.integer(500, 9000),
});

const getBook = mockMethod({ seed: 7 }, "Shop.GetBook", drawBook);
console.log(getBook({ isbn: "1" }));
const watchBooks = mockStream({ seed: 7 }, "Shop.WatchBooks", drawBook);
for await (const book of watchBooks({})) console.log(book.title);

// A method with several statuses, which responds with a book or with nothing.
const findBook = mockMethod(
  { seed: 7 },
  "Shop.FindBook",
  mockStatus((draw) => ({ book: drawBook(draw) }), { 200: "book", 204: null }),
);
console.log(findBook({ isbn: "1" }));

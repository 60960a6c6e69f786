// Generates [mock data](../../mock.md). For each type of a contract, the `mock` target generates a function that takes a `Draw`.
import { Draw, mockMethod, mockStream } from "@ridlkit/runtime/mock";

const drawBook = (draw: Draw) => ({
  title: draw.text(3, 24),
  cents: draw.integer(500, 9000),
});

console.log(drawBook(new Draw("my test"))); // always the same book
const getBook = mockMethod({ seed: 7 }, "Shop.GetBook", drawBook);
console.log(getBook({ isbn: "1" }));
const watchBooks = mockStream({ seed: 7 }, "Shop.WatchBooks", drawBook);
for await (const book of watchBooks({})) console.log(book.title);

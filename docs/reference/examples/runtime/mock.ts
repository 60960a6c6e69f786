// Generates [mock data](../../mock.md). For each type of a contract, the `mock` target generates a function that takes a `Draw`.
import { Draw } from "@ridlkit/runtime/mock";
import { drawBook } from "../generated/mock.js";

console.log(drawBook(new Draw("my test"))); // always the same book

// Functions for other values use the methods of `Draw`.
const drawLot = (draw: Draw) => ({
  name: draw.text(3, 24),
  count: draw.integer(1, 9),
  books: draw.list(1, 3, drawBook),
});
console.log(drawLot(new Draw("lot", 7)).books.length);

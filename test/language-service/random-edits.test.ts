import { test } from "vitest";
import { editAtRandom } from "./support/random-edits.js";

test("a service after random edits answers like a fresh one", () => {
  editAtRandom(1, 60, 20);
});

import { test } from "vitest";
import { editAtRandom } from "./support/random-edits.js";

test("a service answers like a fresh one after random edits", () => {
  editAtRandom(1, 60, 20);
});

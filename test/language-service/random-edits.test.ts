import { test } from "vitest";
import { editAtRandom } from "./support/random-edits.js";

test("a service gives the same answers as a new one after random edits", () => {
  editAtRandom(1, 60, 20);
});

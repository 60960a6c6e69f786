import { test } from "vitest";
import { editAtRandom } from "./support/random-edits.js";

test("a service gives the same answers as a new one after 10,000 random edits", () => {
  const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1_000_000);
  editAtRandom(seed, 10_000, 50);
});

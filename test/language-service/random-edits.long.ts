import { test } from "vitest";
import { isSample } from "../support/draw-some.js";
import { editAtRandom } from "./support/random-edits.js";

const steps = isSample ? 3_000 : 10_000;

test(`a service gives the same answers as a new one after ${steps} random edits`, () => {
  const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1_000_000);
  editAtRandom(seed, steps, 50);
});

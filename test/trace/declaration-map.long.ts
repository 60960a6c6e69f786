import { test } from "vitest";
import { startClassic } from "./editor-definitions.js";
import {
  expectDefinitions,
  generated,
  packaged,
} from "./expect-definitions.js";

test.each([
  ["a packaged client", packaged],
  ["a generated client", generated],
])(
  "navigates with TypeScript 5.9 from %s to the contract",
  (_, client) => expectDefinitions(startClassic, client),
  60_000,
);

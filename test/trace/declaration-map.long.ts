import { test } from "vitest";
import { startClassic } from "./editor-definitions.js";
import { expectDefinitions } from "./expect-definitions.js";

test(
  "leads TypeScript 5.9 from a client to the contract",
  () => expectDefinitions(startClassic),
  60_000,
);

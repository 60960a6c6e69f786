import { test } from "vitest";
import { startNative } from "./editor-definitions.js";
import { expectDefinitions } from "./expect-definitions.js";

test(
  "leads TypeScript 7 from a client to the contract",
  () => expectDefinitions(startNative),
  60_000,
);

import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

/** Tests with servers of other frameworks; see `scripts/test-frameworks.js`. */
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    include: ["test/frameworks/*.frameworks.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
});

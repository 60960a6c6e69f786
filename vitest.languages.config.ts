import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

/** Tests of clients in other languages; see `scripts/test-languages.js`. */
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    include: ["test/behavior/**/*.languages.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
});

import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

/** Trials of a first use; see `scripts/test-install.js`. */
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    include: ["test/install/*.install.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

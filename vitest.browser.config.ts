import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

/** Tests in a real browser; see `scripts/test-browser.js`. */
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    include: ["test/browser/*.browser.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

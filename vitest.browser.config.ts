import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

/** Tests in a real browser; see `scripts/test-browser.js`. */
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    include: ["{platform/test,test}/browser/*.browser.ts"],
    globalSetup: ["platform/test/support/global-setup.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Other tests run at the same time.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
  },
});

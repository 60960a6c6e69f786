import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

/** Trials of a first use; see `scripts/test-install.js`. */
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    include: ["test/install/*.install.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Other tests run at the same time.
    expect: { poll: { timeout: 30_000 } },
    // Both files, because they mostly wait. The default is one on two cores.
    maxWorkers: 2,
  },
});

import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

/** Tests on all hosts; see `scripts/test-hosts.js`. */
export default defineConfig({
  resolve: base.resolve ?? {},
  test: {
    include: ["test/behavior/hosts/*.hosts.ts"],
    testTimeout: 600_000,
    // Next.js builds its program first.
    hookTimeout: 600_000,
    // Other tests run at the same time.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    maxConcurrency: 6,
  },
});

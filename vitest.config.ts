import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string =>
  fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      // Tests run the sources, not the build.
      {
        find: /^ridlkit\/runtime\/(.*)$/,
        replacement: here("./runtime/$1.ts"),
      },
      { find: /^ridlkit$/, replacement: here("./generator/index.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/property-runs.ts"],
    testTimeout: 30_000,
  },
});

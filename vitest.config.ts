import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string =>
  fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^ridlkit\/runtime\/(.*)$/,
        replacement: here("./runtime/$1.ts"),
      },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
  },
});

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string =>
  fileURLToPath(new URL(path, import.meta.url));

/** `npm run test:long` multiplies the runs of property tests. */
const longRuns =
  process.env["RIDLKIT_RUNS"] === undefined
    ? []
    : [
        {
          find: /^fast-check$/,
          replacement: here("./test/support/fast-check.ts"),
        },
      ];

/** What takes too long for every day: only `npm run test:long` has it. */
const longProjects =
  process.env["RIDLKIT_RUNS"] === undefined
    ? []
    : [
        {
          extends: true as const,
          test: {
            name: "long",
            include: ["platform/test/**/*.long.ts"],
            globalSetup: ["platform/test/support/global-setup.ts"],
          },
        },
      ];

export default defineConfig({
  resolve: {
    alias: [
      // Tests run the sources, not the build.
      {
        find: /^ridlkit\/runtime\/(.*)$/,
        replacement: here("./runtime/$1.ts"),
      },
      { find: /^ridlkit$/, replacement: here("./generator/index.ts") },
      ...longRuns,
    ],
  },
  test: {
    // `npm run coverage`: the language, from text to the contract.
    coverage: {
      include: ["generator/{1-parse,2-check,3-lower}/**/*.ts"],
      reporter: ["text"],
      reportOnFailure: true,
    },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: "ridlkit", include: ["test/**/*.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "platform",
          include: ["platform/test/**/*.test.ts"],
          globalSetup: ["platform/test/support/global-setup.ts"],
        },
      },
      ...longProjects,
    ],
  },
});

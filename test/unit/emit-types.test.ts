import { build, type PluginBuild } from "esbuild";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { builtInErrors } from "../../generator/4-emit/typescript/names/built-in-errors.js";
import * as runtime from "../../runtime/typescript/wire/errors.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("errors.ts", () => {
  it("has the same built-in errors as the runtime", () => {
    expect(builtInErrors).toEqual(Object.values(runtime.builtInErrors));
    for (const { name } of builtInErrors) {
      expect(runtime).toHaveProperty(`${name}Error`);
    }
  });

  it("adds nothing to a bundle that does not use it", async () => {
    const emitted = readFileSync(
      `${root}/test/golden/fixtures/errors/expected/errors.ts`,
      "utf8",
    );
    const { outputFiles } = await build({
      stdin: { contents: 'import "emitted";', loader: "ts" },
      bundle: true,
      write: false,
      format: "esm",
      // An application loads files without the `sideEffects` flag.
      external: ["@ridlkit/*"],
      treeShaking: true,
      plugins: [serving(emitted)],
    });
    expect(outputFiles[0]?.text).not.toMatch(/^(?:class|const|var)\b/mu);
  });
});

/** Resolves `emitted` to the text. */
function serving(text: string) {
  return {
    name: "serving",
    setup({ onResolve, onLoad }: PluginBuild) {
      onResolve({ filter: /^emitted$/ }, () => ({
        path: "emitted",
        namespace: "emitted",
      }));
      onLoad({ filter: /.*/, namespace: "emitted" }, () => ({
        contents: text,
        loader: "ts" as const,
      }));
    },
  };
}

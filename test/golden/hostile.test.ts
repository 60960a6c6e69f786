import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { emitCase, goldenCases } from "../support/golden-cases.js";
import { hostileText } from "../support/hostile-contract.js";

const runtime = fileURLToPath(new URL("../../runtime", import.meta.url));

/** Bundles every TypeScript file of a case and runs the result. */
async function run(name: string): Promise<Readonly<Record<string, unknown>>> {
  const golden = goldenCases().find((candidate) => candidate.name === name);
  if (golden === undefined) throw new Error(`no case ${name}`);
  const files = new Map(
    emitCase(golden).map(({ path, text }) => [`/${path}`, text]),
  );
  const modules = [...files.keys()].filter((path) => path.endsWith(".ts"));
  const contents = modules
    .map((path, index) => `export * as file${index} from "${path}";`)
    .join("\n");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: "/" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    plugins: [
      {
        name: "emitted",
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /^ridlkit\// }, ({ path }) => ({
            path: join(runtime, `${path.slice("ridlkit/runtime/".length)}.ts`),
          }));
          onResolve({ filter: /^[./]/ }, ({ importer, path }) => {
            const from = path.startsWith("/") ? "/" : dirname(importer);
            const target = join(from, path).replace(/\.js$/u, ".ts");
            return files.has(target)
              ? { path: target, namespace: "emitted" }
              : null;
          });
          onLoad({ filter: /.*/, namespace: "emitted" }, ({ path }) => ({
            contents: files.get(path) ?? "",
            loader: "ts",
          }));
        },
      },
    ],
  });
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-hostile-"));
  const script = join(folder, "bundle.mjs");
  writeFileSync(script, outputFiles[0]?.contents ?? "");
  try {
    return await import(pathToFileURL(script).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const hostileCases = goldenCases()
  .map(({ name }) => name)
  .filter((name) => /hostile|names/u.test(name));

describe("a hostile contract", () => {
  it("is inert when its code runs, and says what it said", async () => {
    const modules = await run("hostile");
    expect(Object.keys(globalThis)).not.toContain("hijacked");
    const exported: Readonly<Record<string, unknown>> = Object.assign(
      {},
      ...Object.values(modules),
    );
    expect(exported["errors"]).toHaveProperty(
      ["Er*/ror", "message"],
      hostileText,
    );
    expect(Object.values(Object(exported["Enum"]))).toContain(hostileText);
    const isEnum = exported["isEnum"];
    if (typeof isEnum !== "function") throw new Error("isEnum is missing");
    expect(isEnum(hostileText)).toBe(true);
    expect(isEnum("toString")).toBe(false);
  });

  it.each(hostileCases)("%s runs without an effect", async (name) => {
    expect(Object.keys(await run(name)).length).toBeGreaterThan(3);
    expect(Object.keys(globalThis)).not.toContain("hijacked");
  });

  it.each(hostileCases)("%s shows every character", (name) => {
    const golden = goldenCases().find((each) => each.name === name);
    if (golden === undefined) throw new Error(`no case ${name}`);
    for (const { path, text } of emitCase(golden)) {
      if (!path.endsWith(".ts")) continue;
      expect(text, path).not.toMatch(/<\/script/iu);
      expect(text, path).not.toMatch(/[\u2028\u2029\u202e\0\r]/u);
    }
  });
});

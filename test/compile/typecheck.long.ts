import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emitContract } from "../../generator/4-emit/emit.js";
import { emitters } from "../../generator/4-emit/registry.js";
import { compileContract } from "../../generator/compile.js";
import { runTsc } from "../support/run-tsc.js";
import { runtimePaths } from "../support/runtime-entries.js";
import { writeTree } from "../support/write-tree.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ridlkit-typecheck-"));
const methodCount = 300;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A contract with a struct, limits, a list and a map for each method. */
function writeContract(): string {
  const indexes = [...Array(methodCount).keys()];
  const structs = indexes.map(
    (index) => `struct Item${index}
  - id: uint64
  - name: string
    + maxLength = 40
  - tags: []string
  - counts: map<string,uint32>
  - next?: Item${(index + 1) % methodCount}
`,
  );
  const methods = indexes.map(
    (index) => `  - Get${index}(id: uint64) => (item: Item${index})`,
  );
  return `webrpc = v1\n\nname = store\nversion = v1.0.0\n\n${structs.join("\n")}\nservice Store\n${methods.join("\n")}\n`;
}

beforeAll(() => {
  const { value } = compileContract(["store.ridl"], { read: writeContract });
  if (value === null) throw new Error("the contract has mistakes");
  const files = emitContract(
    value,
    emitters,
    {
      int64: "number",
      timestamp: "string",
      runtime: "import",
      importExtension: ".js",
    },
    { runtimeSources: new Map() },
  );
  const texts = files.map(({ path, text }) => [`api/${path}`, text] as const);
  writeTree(
    folder,
    new Map([
      ...texts,
      ["package.json", '{ "type": "module" }'],
      [
        "main.ts",
        `import { createStoreClient } from "./api/client.js";
import type { StoreServerOptions } from "./api/server.js";
const client = createStoreClient({ baseUrl: "https://store.example" });
export const name: string = (await client.get7({ id: 7 })).item.name;
export const handlers: Partial<StoreServerOptions["handlers"]["store"]> = {
  get7: ({ id }) => ({ item: { id, name, tags: [], counts: {} } }),
};
`,
      ],
    ]),
  );
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
});

/** Checks the project, and returns what the compiler counted, by name. */
function check(compiler: string): ReadonlyMap<string, number> {
  const config = join(folder, "tsconfig.json");
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    extendedDiagnostics: true,
    types: [],
    paths: runtimePaths("declarations"),
  };
  writeFileSync(config, JSON.stringify({ compilerOptions }));
  const { status, stdout } = runTsc(config, compiler);
  expect(stdout).not.toContain("error TS");
  expect(status).toBe(0);
  return new Map(
    [...stdout.matchAll(/^([A-Z][\w ]+):\s+(\d+)$/gmu)].map(
      ([, name = "", count]) => [name, Number(count)],
    ),
  );
}

// These counts depend on the output and on the compiler, not on the machine.
it.each(["typescript", "typescript-5.9"])(
  "a project's %s creates few types for each generated method",
  (compiler) => {
    const counts = check(compiler);
    expect((counts.get("Types") ?? 0) / methodCount).toBeLessThan(10);
    expect((counts.get("Instantiations") ?? 0) / methodCount).toBeLessThan(2);
  },
);

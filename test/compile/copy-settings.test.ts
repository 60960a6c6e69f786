import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyRuntime } from "../../generator/4-emit/copy-runtime.js";
import { readRuntime } from "../support/golden-cases.js";
import { runTsc } from "../support/run-tsc.js";

/** Compiler options, and the folders of the runtime to compile. */
type Settings = Readonly<Record<string, unknown>> & {
  readonly include?: readonly string[];
};

/**
 * Settings of projects that declare fewer platform features than the runtime
 * uses, or that are not as strict as its sources expect.
 */
const settings: Readonly<Record<string, Settings>> = {
  "Node without declarations of browsers": {
    lib: ["es2022"],
    types: ["node"],
    strict: true,
  },
  "browsers without iterators": {
    lib: ["es2022", "dom"],
    types: [],
    strict: true,
  },
  "an old library": { lib: ["es2020", "dom"], types: [], strict: true },
  // Classes of the hosts for Node have symbols as names of members, which
  // isolated declarations do not support.
  "isolated declarations": {
    include: ["client", "server", "values", "webrpc", "wire"],
    lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
    types: ["node"],
    strict: true,
    declaration: true,
    isolatedDeclarations: true,
  },
  "no strictness": { lib: ["es2022", "dom"], types: [], strict: false },
};

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ridlkit-copy-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const runtimeSources = readRuntime();
  const text = [...runtimeSources.keys()]
    .map((name) => `import "./runtime/${name.replace(/ts$/u, "js")}";`)
    .join("\n");
  const copy = copyRuntime(
    [{ path: "all.ts", text }],
    {
      int64: "number",
      timestamp: "string",
      runtime: "copy",
      importExtension: ".js",
    },
    { runtimeSources },
  );
  for (const file of copy) {
    const path = join(folder, file.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(Object.entries(settings))(
  "copies of the runtime compile with the settings for %s",
  (_, { include = ["."], ...options }: Settings) => {
    const config = join(folder, "tsconfig.json");
    const compilerOptions = {
      ...options,
      target: "es2020",
      module: "esnext",
      moduleResolution: "bundler",
      skipLibCheck: true,
      noEmit: true,
    };
    writeFileSync(
      config,
      JSON.stringify({
        compilerOptions,
        include: include.map((name) => `runtime/${name}`),
      }),
    );
    expect(runTsc(config)).toEqual({ status: 0, stdout: "" });
  },
);

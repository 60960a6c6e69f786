import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { runTsc } from "../support/run-tsc.js";
import { runtimePaths } from "../support/runtime-entries.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The settings of projects that use webrpc's client. */
const projects = {
  "a bundler": { module: "esnext", moduleResolution: "bundler" },
  "Node.js": { module: "nodenext", moduleResolution: "nodenext" },
};

/**
 * Returns the compiler's errors for a file in a project with these settings.
 */
function compile(file: string, options: object): string {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-compat-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, "tsconfig.json");
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    paths: runtimePaths(),
    ...options,
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
  return runTsc(config).stdout;
}

it.each(Object.entries(projects))(
  "code for webrpc's client compiles with %s",
  (_, options) => {
    const consumer = join(root, "test/interop/webrpc-consumer.ts");
    expect(compile(consumer, options)).toBe("");
  },
  60_000,
);

it("code that calls a method incorrectly does not compile", () => {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-compat-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "wrong.ts");
  const generated = join(root, "test/interop/generated/webrpc.ts");
  writeFileSync(
    file,
    `import { TestApi } from ${JSON.stringify(generated)};
const client = new TestApi("http://localhost", fetch);
void client.sendOne({ one: { id: "1", name: "one" } });
void client.getEmpty({}, {}, {});
void client.nothing();
`,
  );
  const options = {
    ...projects["a bundler"],
    allowImportingTsExtensions: true,
  };
  const messages = compile(file, options);
  expect(messages.match(/wrong\.ts\(\d+/gu)).toEqual([
    "wrong.ts(3",
    "wrong.ts(4",
    "wrong.ts(5",
  ]);
});

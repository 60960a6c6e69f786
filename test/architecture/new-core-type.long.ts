import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { python } from "../../scripts/test-long/prepare-python.js";
import {
  copyCode,
  entries,
  findFaults,
  insert,
} from "./support/scratch-copy.js";

/** Bundles code in the folder and loads it. */
async function load(folder: string, code: string): Promise<object> {
  const outfile = join(folder, `bundle-${code.length}.mjs`);
  await build({
    stdin: { contents: code, resolveDir: folder, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "bundle",
    outfile,
    alias: Object.fromEntries(
      entries.map(({ name, path }) => [name, join(folder, path)]),
    ),
    logLevel: "error",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return (await import(pathToFileURL(outfile).href)) as object;
}

const pattern = "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$";
const some = "2f1c9d52-6a0e-4b7d-9c31-5d3f0a8e7b64";

/** Follows the row "new core type" in docs/architecture.md. */
function addUuid(folder: string): readonly string[] {
  insert(
    join(folder, "generator/ir/scalars.ts"),
    "  timestamp: text(",
    `  uuid: text("a UUID", "a string", {
    limits: null,
    text: {
      fits: (text) => /${pattern}/u.test(text),
      keywords: { format: "uuid", pattern: ${JSON.stringify(pattern)} },
      draw: (seed) => \`${some.slice(0, -12)}\${String(seed).padStart(12, "0").slice(-12)}\`,
      samples: ["${some}"],
      faults: ["${some.toUpperCase()}", ""],
    },
  }),\n`,
  );
  const named = findFaults(folder);
  insert(
    join(folder, "generator/4-emit/typescript/plan/scalars.ts"),
    "  uint8: { standard:",
    '  uuid: { standard: { ...text, test: calling("isUuid"), writing: "quoted" } },\n',
  );
  insert(
    join(folder, "runtime/typescript/values/predicates.ts"),
    "/** Whether a value is canonical base64",
    `/** Whether a value is a UUID. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && /${pattern}/.test(value);
}\n\n`,
  );
  // The golden file of the view, which templates are checked against.
  const schema = join(folder, "templates/view.schema.json");
  const text = readFileSync(schema, "utf8");
  writeFileSync(
    schema,
    text.replace(/"timestamp"(?=\n)/u, '"timestamp", "uuid"'),
  );
  addToLanguage(
    folder,
    "go",
    [
      "type/scalar.hbs",
      '(is scalar "any")}}',
      '(is scalar "uuid")}}ridl.UUID{{else if (is scalar "any")}}',
    ],
    ["files/go/ridl/scalars.go", "// UUID is a UUID.\ntype UUID string\n"],
  );
  addToLanguage(
    folder,
    "python",
    ["value/scalar.hbs", '"uint64")', '"uint64" "uuid")'],
    [
      "files/python/{package}/_values.py",
      "Uuid: TypeAlias = Annotated[str, 'a UUID']\n",
    ],
  );
  return named;
}

/** Adds the type to the template that names core types, and to the runtime. */
function addToLanguage(
  folder: string,
  language: string,
  [template, before, after]: readonly [string, string, string],
  [file, declaration]: readonly [string, string],
): void {
  const path = join(
    folder,
    `generator/4-emit/templates/own/${language}-set.json`,
  );
  const set = JSON.parse(readFileSync(path, "utf8")) as {
    texts: Record<string, string>;
  };
  const text = set.texts[template] ?? "";
  expect(text).toContain(before);
  set.texts[template] = text.replace(before, after);
  set.texts[file] =
    `${set.texts[file] ?? expect.unreachable()}\n${declaration}`;
  writeFileSync(path, JSON.stringify(set));
}

/** Runs a program in a folder. Returns what it prints if it fails. */
function faultsOf(command: string, args: readonly string[], cwd: string) {
  const { status, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
  });
  return status === 0 ? "" : stderr;
}

/** Uses the copy: compares contracts, checks examples, and asks the mock. */
const program = `
import { compileContract, defaultLintOptions, emitContract, findChanges, selectTargets } from "./cli/index.ts";

const compile = (type, more = "") => compileContract(["a.ridl"], {
  read: () => \`webrpc = v1\\nname = a\\nversion = v1.0.0\\n\\nstruct Item\\n  - id: \${type}\\n\${more}\\nservice Shop\\n  - Find(id: \${type}) => (item: Item)\\n\`,
}, defaultLintOptions);
const contract = (type) => compile(type).value;
const options = { int64: "bigint", timestamp: "string", runtime: "import", importExtension: ".js" };

export const emitted = emitContract(contract("uuid"), await selectTargets(["defaults", "mock", "json-schema", "go", "python"].map((name) => ({ name }))), options, { runtimeSources: new Map() });
export const changes = findChanges(contract("string"), contract("uuid"));
export const codesOf = (example) => compile("uuid", "    + example = " + example + "\\n").diagnostics.map(({ code }) => code);
`;

test("a core type is two rows and a predicate", async () => {
  const folder = copyCode();
  expect(findFaults(folder)).toEqual([]);
  expect(addUuid(folder)).toEqual([
    "generator/4-emit/typescript/plan/scalars.ts",
  ]);
  expect(findFaults(folder)).toEqual([]);

  const tools = (await load(folder, program)) as {
    readonly emitted: readonly { path: string; text: string }[];
    readonly changes: readonly { code: string }[];
    codesOf(example: string): readonly string[];
  };
  expect(tools.changes.map(({ code }) => code)).toContain("field-same-type");
  expect(tools.codesOf(some)).not.toContain("example-invalid");
  expect(tools.codesOf("sofa")).toContain("example-invalid");

  const textOf = (name: string): string =>
    tools.emitted.find(({ path }) => path === name)?.text ?? "";
  expect(JSON.parse(textOf("schema.json"))).toMatchObject({
    $defs: { Item: { properties: { id: { type: "string", pattern } } } },
  });
  for (const { path, text } of tools.emitted) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { find, isItem } = (await load(
    folder,
    'import { drawItem } from "./mock.ts"; import { Draw } from "@ridlkit/runtime/mock"; import { isUuid } from "@ridlkit/runtime/validation"; export const find = (key: number) => drawItem(new Draw(key)); export const isItem = (item: { id: string }) => isUuid(item.id);',
  )) as { find(key: number): { id: string }; isItem(item: object): boolean };
  const drawn = [1, 2, 3, 4, 5, 6, 7, 8].map(find);
  expect(drawn.filter((item) => !isItem(item))).toEqual([]);
  expect(textOf("validators.ts")).toContain("isUuid(");

  const go = join(folder, "go");
  expect(textOf("go/types.go")).toContain("ridl.UUID");
  if (faultsOf("go", ["version"], folder) === "")
    expect(faultsOf("go", ["build", "./..."], go)).toBe("");
  else console.log("NOT RUN: the build of Go. Go is not installed.");
  expect(textOf("python/a/types.py")).toContain("_v.Uuid");
  if (
    faultsOf(resolve(python), ["-c", "import pydantic, httpx"], folder) === ""
  )
    expect(
      faultsOf(resolve(python), ["-c", "import a"], join(folder, "python")),
    ).toBe("");
  else console.log("NOT RUN: the import of Python. Its packages are missing.");
}, 300_000);

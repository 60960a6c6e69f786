import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyRepository, findFaults, insert } from "./support/scratch-copy.js";
import { isSample } from "../support/draw-some.js";
import { root } from "./support/source-files.js";

/**
 * Follows rows of "Where a change goes" in docs/architecture.md in one copy of
 * the repository. Each test makes the first part of a change, compares what the
 * compiler and the tests then name with the row, and completes the change.
 * `new-core-type.long.ts` and `new-value-kind.long.ts` follow two more rows.
 */
let folder = "";
beforeAll(() => {
  folder = copyRepository();
  expect(findFaults(folder)).toEqual([]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Inserts text before the first occurrence of a mark. */
function add(path: string, mark: string, text: string): void {
  insert(join(folder, path), mark, text);
}

/** Runs tests of the copy. Returns the names of those that fail, sorted. */
function findFailing(
  tests: readonly string[],
  isUpdating = false,
): readonly string[] {
  const env = Object.entries(process.env).filter(
    ([name]) => !/^(?:CI|NODE_ENV|VITEST|RIDLKIT_)/u.test(name),
  );
  // In CI, Vitest does not write missing snapshots.
  const mode = isUpdating ? { UPDATE_GOLDEN: "1" } : { CI: "true" };
  const report = join(folder, "report.json");
  const words = [
    join(root, "node_modules/vitest/vitest.mjs"),
    ...["run", "--project=ridlkit", ...tests],
    ...["--reporter=json", `--outputFile=${report}`],
    ...(isUpdating ? ["--update"] : []),
  ];
  rmSync(report, { force: true });
  spawnSync(process.execPath, words, {
    cwd: folder,
    env: { ...Object.fromEntries(env), ...mode },
  });
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
    readonly testResults: readonly TestFile[];
  };
  expect(testResults).toHaveLength(tests.length);
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "failed")
    .map(({ fullName }) => fullName)
    .sort();
}

/** A file in the report of Vitest. */
interface TestFile {
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
  }[];
}

function expectFailing(
  tests: readonly string[],
  names: readonly string[],
): void {
  expect(findFailing(tests)).toEqual([...names].sort());
}

/**
 * Writes what is derived, as `npm run golden:update` does, after which all
 * tests must pass.
 */
function expectComplete(tests: readonly string[]): void {
  expect(findFailing(tests, true)).toEqual([]);
}

const outdatedSchema =
  "config.schema.json describes the existing targets and rules";

/** Writes the page of a code, with examples of the given kinds. */
function writePage(code: string, examples: Record<string, string>): void {
  const blocks = Object.entries(examples).map(
    ([kind, text]) => `\`\`\`ridl ${kind}\n${text}\`\`\`\n`,
  );
  write(
    `docs/diagnostics/${code}.md`,
    [`# ${code}\n`, "Not a name.\n", ...blocks].join("\n"),
  );
}

/** Writes the case of a code. `golden:update` fills in `expected.txt`. */
function writeCase(code: string, documents: Record<string, string>): void {
  const path = `test/diagnostics/${code}`;
  for (const [name, text] of Object.entries(documents))
    write(
      `${path}/${name}.ridl`,
      `webrpc = v1\nname = shop\nversion = v1.0.0\n\n${text}`,
    );
  write(`${path}/expected.txt`, "");
}

const check = "sofa-checked";
const lint = "sofa-linted";
const breaking = "sofa-compared";

/** Adds the rules, but not their codes. */
function addRules(): void {
  const [anEnum, aStruct] = ["enum", "struct"].map(
    (kind) => `inNodes(
    ["${kind}s"],
    ({ syntax: { name } }) =>
      name.text === "Sofa" && { at: name, message: "${kind} \`Sofa\`" },
  ),\n`,
  );
  const rules = "generator/2-check/rules/enums.ts";
  add(rules, '  "invalid-enum-base": inNodes', `  "${check}": ${anEnum}`);
  const lintRules = "generator/lint/rules/comments.ts";
  add(lintRules, '  "comment-enum": undocumented', `  "${lint}": ${aStruct}`);
  add(
    "tools/breaking/diff/rules/services.ts",
    '  "service-added": (',
    `  "${breaking}": ({ services }) =>
    services.added
      .filter(({ service }) => service.name === "Sofa")
      .map(({ subject }) => ({
        effects: { wire: "danger" },
        message: "service \`Sofa\` is new",
        before: null,
        after: subject,
        help: "rename it",
      })),\n\n`,
  );
}

test.skipIf(isSample)(
  "a check, a lint rule and a breaking-change rule are a row, a line in the catalog, a page and a case",
  () => {
    const catalog = "generator/diagnostics/catalog.ts";
    add(catalog, '  "alias-cycle": ', `  "${check}": "an enum is a sofa",\n`);
    add(
      catalog,
      '    "method-verb":',
      `    "${lint}": "a struct is a sofa",\n`,
    );
    add(
      catalog,
      '  "service-added":',
      `  "${breaking}": "a service is new",\n`,
    );
    expect(findFaults(folder)).toEqual([
      "generator/2-check/rules/index.ts",
      "generator/lint/rules/index.ts",
      "tools/breaking/diff/rules/index.ts",
    ]);

    addRules();
    const tests = [
      "test/diagnostics/pages.test.ts",
      "test/diagnostics/cases.test.ts",
      "test/cli/config-schema.test.ts",
      "test/lint/rules.test.ts",
      "test/breaking/rules.test.ts",
    ];
    expectFailing(tests, [
      "every code has a case",
      "every code has a page",
      ...[check, lint].flatMap((code) => [
        `${code} begins with its code`,
        `${code} its bad example is reported`,
        `${code} its good example has no findings`,
      ]),
      `${breaking} begins with its code`,
      `${breaking} its alternative does not have the reported difference`,
      `${breaking} its examples show the reported difference`,
      "the reference lists the rules of ridl breaking",
      "docs/lint.md lists the rules",
      outdatedSchema,
    ]);

    const good = "struct Bed\n  - id: string\n";
    const anEnum = "enum Sofa: string\n  - A\n";
    writePage(check, { bad: anEnum, good });
    writeCase(check, { input: anEnum });
    const aStruct = good.replace("Bed", "Sofa");
    writePage(lint, { bad: aStruct, good });
    writeCase(lint, { input: aStruct });
    const before = "service Shop\n  - Ping()\n";
    const after = `${before}\nservice Sofa\n  - Sit()\n`;
    writePage(breaking, { before, after, instead: before });
    writeCase(breaking, { before, after });
    add(
      "docs/reference/tables/breaking-rules.md",
      "| [service-added]",
      `| [${breaking}](../../diagnostics/${breaking}.md) | a service is new | may break |  |  |  |\n`,
    );
    expectComplete(tests);
  },
);

test.skipIf(isSample)("a target is a folder and a line", () => {
  write(
    "generator/4-emit/sofa/sofa.ts",
    `import type { ConfigurableTarget } from "../emitter/target.js";

/** Lists the names of hosts. */
export const sofaEmitter: ConfigurableTarget<string> = create(",");

function create(separator: string): ConfigurableTarget<string> {
  return {
    name: "sofa",
    summary: "A list of hosts.",
    guide: "cli.md",
    setting: {
      schema: { description: "Separator. Default: \`,\`.", type: "string" },
      example: ";",
    },
    with: create,
    emit: ({ hosts }) => [
      { path: "sofa.txt", text: hosts.map(({ name }) => name).join(separator) },
    ],
  };
}
`,
  );
  add(
    "generator/4-emit/registry.ts",
    "    docs: async",
    '    sofa: async () => (await import("./sofa/sofa.js")).sofaEmitter,\n',
  );
  const schema = ["test/cli/config-schema.test.ts"];
  const reference = [
    "test/reference/commands.test.ts",
    "test/reference/index.test.ts",
    "test/reference/settings.test.ts",
    "test/reference/targets.test.ts",
  ];
  expectFailing(
    [...schema, ...reference],
    [
      outdatedSchema,
      "docs/reference lists every page",
      "docs/reference/commands describes every command",
      "docs/reference/targets shows the output of every target",
      "the setting sofa is required or has a default, and has valid examples",
    ],
  );
  expectComplete(schema);
  expectComplete(reference);
  write("test/cli/sofa.test.ts", useOfSofa);
  expect(findFailing(["test/cli/sofa.test.ts"])).toEqual([]);
});

/** Uses the target as a project would. */
const useOfSofa = `import { expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

test("writes the target", async () => {
  const ridl = "webrpc = v1\\nname = a\\nversion = v1.0.0\\n\\nservice A\\n  - Ping()\\n";
  const sandbox = createSandbox({
    "ridl.config.yaml": "schema: [a.ridl, b.ridl]\\nemit: [{ sofa: +++ }]\\n",
    "a.ridl": ridl,
    "b.ridl": ridl.replace("= a", "= b").replace("service A", "service B"),
  });
  expect((await sandbox.run(["generate"])).exitCode).toBe(0);
  expect(sandbox.read("generated/sofa.txt")).toBe("a+++b");
  const { stdout } = await sandbox.run(["generate", "--help"]);
  expect(stdout).toContain("A list of hosts.");
});
`;

test("a flag is a line and an example in the usage text", () => {
  const first = "ridl explain duplicate-method  explain a diagnostic";
  add("cli/usage.ts", first, "--sofa  sit down\n");
  const tests = ["test/reference/commands.test.ts"];
  expectFailing(tests, [
    "docs/reference/commands describes every command",
    "ridl explain has a valid example for every flag",
  ]);
  add("cli/usage.ts", first, "ridl explain --sofa  sit down\n");
  expectComplete(tests);
});

test.skipIf(isSample)(
  "a setting is a property of the schema and part of the configuration",
  () => {
    const property =
      '"cushion": { "type": "boolean", "examples": [true], "description": "Whether to sit. Default: `false`." },\n';
    add("config.schema.json", '    "int64": {', property);
    const tests = [
      "test/cli/config-schema.test.ts",
      "test/reference/index.test.ts",
      "test/reference/settings.test.ts",
    ];
    const ignored = "the setting cushion changes the configuration";
    expectFailing(tests, [
      outdatedSchema,
      "docs/reference lists every page",
      "docs/reference/settings describes every setting",
      ignored,
    ]);
    expect(findFailing(tests, true)).toEqual([ignored]);

    add(
      "cli/config/config.ts",
      "  readonly declarationMaps: boolean;",
      "  readonly cushion: boolean;\n",
    );
    expect(findFaults(folder)).toEqual([
      "cli/config/config.ts",
      "cli/config/to-config.ts",
    ]);
    const path = "cli/config/to-config.ts";
    add(
      "cli/config/config.ts",
      "  declarationMaps: false,",
      "  cushion: false,\n",
    );
    add(
      path,
      "  readonly declarationMaps?: boolean;",
      "  readonly cushion?: boolean;\n",
    );
    add(
      path,
      "    declarationMaps,\n",
      "    cushion: input.cushion ?? false,\n",
    );
    expectComplete(tests);
  },
);

test("a fact about values of generated TypeScript is a field of a record", () => {
  const path = "generator/4-emit/typescript/plan/plan.ts";
  const before = readFileSync(join(folder, path), "utf8");
  const mark = "  /** Description of a value in a validation failure";
  add(path, mark, "  readonly isSofa: boolean;\n");
  expect(findFaults(folder)).toEqual([
    "generator/4-emit/typescript/plan/values.ts",
  ]);
  writeFileSync(join(folder, path), before);
});

test("a method is named by the compiler where it must be implemented", () => {
  const mark = "  # Starts a task that reads the metadata of tokens again.";
  add("schema/metadata.ridl", mark, "  - SitDown() => (ok: bool)\n\n");
  const { status } = spawnSync(
    process.execPath,
    [join(root, "bin/ridl.js"), "generate", "--force"],
    { cwd: folder },
  );
  expect(status).toBe(0);
  expect(findFaults(folder)).toEqual([
    "examples/platform/metadata.ts",
    "platform/services/metadata/handler.ts",
    "platform/test/database/every-method.ts",
    "test/contract/harness.ts",
  ]);
});

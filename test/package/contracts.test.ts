import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";

import {
  defaultPackageName,
  defaultPackageVersion,
  isPackageName,
  isPackageVersion,
} from "../../tools/package/details.js";
import { createPackage } from "../../tools/package/create-package.js";
import { selectPackaged } from "../../tools/package/select-packaged.js";
import { goldenCases } from "../support/golden-cases.js";
import { compileContract } from "../../generator/compile.js";
import type { Contract } from "../../generator/ir/contract.js";
import { expectInert } from "../support/expect-inert.js";
import { runTsc } from "../support/run-tsc.js";
import { readmeFiles } from "./consumer-files.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Golden cases whose names, samples, or layouts are difficult to generate. */
const client = await selectPackaged([]);

const chosen = [
  "bad-names-calls",
  "error-data",
  "hostile-calls",
  "listed-values",
  "streams",
  "structs",
  "timestamp-date",
  "unions",
];

function writePackages(folder: string): string[] {
  const cases = goldenCases().filter(({ name }) => chosen.includes(name));
  expect(cases.map(({ name }) => name)).toEqual(chosen);
  return cases.flatMap(({ name, contract, options }) => {
    const details = {
      name,
      version: "1.0.0",
      runtimeVersion: "1.0.0",
      kept: {},
    };
    const files = createPackage(contract, details, options, client);
    const readme = files.find(({ path }) => path === "README.md")?.text ?? "";
    expectInert(readme);
    const skill = files.find(({ path }) => path === "SKILL.md")?.text ?? "";
    expect(skill).toContain("[README.md](README.md)");
    expectInert(
      skill.replaceAll(/\[README\.md\]\(README\.md(?:#\w+)?\)/gu, ""),
    );
    const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)\n```$/gmu)];
    expect(blocks.length).toBeGreaterThan(0);
    const code = readmeFiles(blocks.map(([, text = ""]) => text));
    for (const { path, text } of files) {
      writeText(join(folder, "node_modules", name, path), text);
    }
    for (const [path, text] of Object.entries(code)) {
      writeText(join(folder, name, path), text);
    }
    return Object.keys(code);
  });
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

it("packages of difficult contracts compile, and so do the programs in their READMEs", () => {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeText(join(folder, "package.json"), '{ "type": "module" }');
  mkdirSync(join(folder, "node_modules/@ridlkit"), { recursive: true });
  symlinkSync(
    join(root, "runtime/typescript"),
    join(folder, "node_modules/@ridlkit/runtime"),
  );
  expect(writePackages(folder).length).toBeGreaterThan(15);
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
    module: "nodenext",
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    noEmit: true,
  };
  const config = join(folder, "tsconfig.json");
  writeText(config, JSON.stringify({ compilerOptions }));
  expect(runTsc(config)).toEqual({ status: 0, stdout: "" });
}, 120_000);

/**
 * Creates a contract with two hosts, one of which has the name of a file next
 * to its folder.
 */
function readHosts(): Contract {
  const hostOf = (name: string) => `webrpc = v1
name = ${name}
version = v1.0.0
import "common.ridl"
error ${name.length} No${name} "no ${name}" HTTP 404
service ${name}
  - Get${name}(item: Item) => (item: Item)
`;
  const documents: Readonly<Record<string, string>> = {
    "common.ridl": "webrpc = v1\nname = common\nstruct Item\n  - id: bigint\n",
    "schemas.ridl": hostOf("schemas"),
    "shop.ridl": hostOf("shop"),
  };
  const { value } = compileContract(["schemas.ridl", "shop.ridl"], {
    read: (path) => documents[path] ?? null,
  });
  return value ?? expect.unreachable();
}

it("packages include schemas and queries on request", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-entries-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "node_modules/@ridlkit"), { recursive: true });
  symlinkSync(
    join(root, "runtime/typescript"),
    join(folder, "node_modules/@ridlkit/runtime"),
  );
  const [{ options } = expect.unreachable()] = goldenCases();
  const details = {
    name: "entries",
    version: "1.0.0",
    runtimeVersion: "1.0.0",
    kept: {},
  };
  const chosen = await selectPackaged([
    { name: "query", setting: "vue" },
    { name: "schemas-with-json" },
  ]);
  const files = createPackage(readHosts(), details, options, chosen);
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  for (const [path, text] of texts) {
    writeText(join(folder, "node_modules/entries", path), text);
  }
  writeText(
    join(folder, "main.js"),
    `import { itemSchema } from "entries/schemas";
import { itemSchemaWithJson } from "entries/schemas-with-json";
import { createSchemasClient } from "entries/schemas/index";
import { getshopRequestSchema } from "entries/shop/schemas";
import { createShopClient } from "entries/shop";
import { createShopQueries } from "entries/shop/query";
const client = createShopClient({ baseUrl: "https://shop.test" });
const { value } = itemSchema["~standard"].validate({ id: "7" });
const { issues } = getshopRequestSchema["~standard"].validate({ item: {} });
export const found = {
  value,
  path: issues[0].path,
  type: itemSchemaWithJson["~standard"].jsonSchema.input({ target: "draft-07" }).type,
  key: createShopQueries(client).getshop.mutationOptions().mutationKey,
  client: typeof createSchemasClient,
};
`,
  );
  const { found } = await import(pathToFileURL(join(folder, "main.js")).href);
  expect(found).toEqual({
    value: { id: 7n },
    path: ["item", "id"],
    type: "object",
    key: ["shop", "getshop"],
    client: "function",
  });
  expect(JSON.parse(texts.get("package.json") ?? "")).toMatchObject({
    peerDependencies: { "@tanstack/vue-query": "^5.89.0" },
    peerDependenciesMeta: { "@tanstack/vue-query": { optional: true } },
  });
  const readme = texts.get("README.md") ?? "";
  for (const row of [
    "| `entries/schemas` | a Standard Schema for each message, for forms and servers |",
    "| `entries/schemas-with-json` | the same schemas with their JSON Schema, for tools of language models |",
    "| `entries/schemas/index` | only schemas/index |",
    "| `entries/shop/query` | options for TanStack Query; needs `@tanstack/vue-query` |",
    // Methods without a list return the errors of their own host.
    "Errors: `Noschemas`.",
    "Errors: `Noshop`.",
  ])
    expect(readme).toContain(row);
  const plain = createPackage(readHosts(), details, options, client);
  expect(
    plain.filter(({ path }) => /query|schemas(?:-with-json)?\.js/u.test(path)),
  ).toEqual([]);
  const streams = compileContract(["shop.ridl"], {
    read: () => `webrpc = v1
name = shop
version = v1.0.0
service Shop
  - Watch() => stream (note: string)
`,
  }).value;
  if (streams === null) expect.unreachable();
  const withoutQueries = createPackage(streams, details, options, chosen);
  expect(
    withoutQueries.filter(({ path, text }) =>
      /query/u.test(path === "package.json" ? text : path),
    ),
  ).toEqual([]);
  const plainManifest = plain.find(({ path }) => path === "package.json");
  expect(plainManifest?.text).not.toContain("peerDependencies");
});

it("READMEs list the data of errors", () => {
  const { contract, options } =
    goldenCases().find(({ name }) => name === "error-data") ??
    expect.unreachable();
  const details = {
    name: "shop",
    version: "1.0.0",
    runtimeVersion: "1.0.0",
    kept: {},
  };
  const files = createPackage(contract, details, options, client);
  const readme = files.find(({ path }) => path === "README.md")?.text;
  expect(readme).toContain("; `error.data`: `");
});

it("default package names and versions are valid", () => {
  for (const { contract } of goldenCases()) {
    expect(isPackageName(defaultPackageName(contract))).toBe(true);
    expect(isPackageVersion(defaultPackageVersion(contract))).toBe(true);
  }
});

it.each([
  [[null], "0.0.0"],
  [["1.2.3"], "1.2.3"],
  [["2"], "2.0.0"],
  [["1.9.0", "1.10.0", "1.2.11"], "1.10.0"],
  [["1.0.0", "1.0.0-beta.1"], "1.0.0"],
  [["2026-01-31"], "2026.1.31"],
])("combines documents with the versions %j into %s", (versions, expected) => {
  const [{ contract } = expect.unreachable()] = goldenCases();
  const [host = expect.unreachable()] = contract.hosts;
  const hosts = versions.map((version) => ({ ...host, version }));
  expect(defaultPackageVersion({ ...contract, hosts })).toBe(expected);
});

it.each([
  ["a", true],
  ["@a/b.c_d", true],
  ["A", false],
  [".a", false],
  ["a/b", false],
  ["@a", false],
  ["-a", false],
  ["node_modules", false],
  ["", false],
  ["a".repeat(215), false],
])("determines whether %s is a valid package name: %s", (name, isTaken) => {
  expect(isPackageName(name)).toBe(isTaken);
});

import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { explorerPage } from "../../generator/4-emit/docs/explorer-data.js";
import { emitContract } from "../../generator/4-emit/emit.js";
import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import { openapiEmitter } from "../../generator/4-emit/openapi/openapi.js";
import { compileContract } from "../../generator/compile.js";
import type { Contract } from "../../generator/ir/contract.js";
import { createPackage } from "../../tools/package/create-package.js";
import {
  defaultPackageName,
  defaultPackageVersion,
  isPackageName,
  isPackageVersion,
} from "../../tools/package/details.js";
import { readmeFiles, strictConsumer } from "../package/consumer-files.js";
import { expectInert } from "../support/expect-inert.js";
import { compileSchema } from "../support/compile-schema.js";
import { readRuntime } from "../support/golden-cases.js";
import {
  hostileProject,
  type HostileProject,
} from "../support/hostile-project.js";
import { importEmitted } from "../support/import-emitted.js";
import { runTsc } from "../support/run-tsc.js";
import { withChecks } from "../support/with-checks.js";
import { writeTree } from "../support/write-tree.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const seed = Number(process.env["RIDLKIT_SEED"] ?? 20_261_121);

/** The test writes thousands of files, possibly to a slow disk. */
const maxDurationMs = 1_800_000;

/** A file name that every system accepts, including Windows. */
const portable =
  /^(?!(?:aux|con|nul|prn|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$))[^<>:"\\|?*\p{C}\p{Z}]{1,80}(?<!\.)$/iu;

/**
 * Characters that are invisible, move the cursor, or change the text direction.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Validates documents against OpenAPI's own schema. */
const validator = new Validator();

const compilerOptions = { ...strictConsumer, module: "nodenext" };

/**
 * Draws hostile projects. If `ridl check` accepts a project, its output must
 * compile, load without side effects, and contain no invisible characters.
 *
 * Input: the number of projects and the first seed.
 */
export function testHostileProjects(count: number, offset = 0): void {
  const title = `compiles and runs the output of ${count} hostile projects`;
  it(
    `${title}, from seed ${seed + offset}`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "ridlkit-hostile-"));
      onTestFinished(
        () => rmSync(folder, { recursive: true, force: true }),
        maxDurationMs,
      );
      const modules = join(folder, "node_modules");
      mkdirSync(join(modules, "@ridlkit"), { recursive: true });
      symlinkSync(
        join(root, "runtime/typescript"),
        join(modules, "@ridlkit/runtime"),
      );
      symlinkSync(
        join(root, "node_modules/@tanstack"),
        join(modules, "@tanstack"),
      );
      const projects = fc.sample(hostileProject, {
        numRuns: count,
        seed: seed + offset,
      });
      let accepted = 0;
      for (const [index, project] of projects.entries()) {
        const contract = compile(project);
        if (contract === null) continue;
        accepted += 1;
        const name = `p${index}`;
        const files = generate(contract, project);
        const packed = pack(contract, name, project);
        expectPortable(files);
        for (const file of [...files, ...packed]) expectVisible(file);
        await expectDescriptions(files, contract, project);
        await run(files);
        writeAll(join(folder, name), files);
        writeAll(join(modules, name), packed);
        writeAll(join(folder, name, "readme"), readmeModules(packed));
      }
      expect(accepted).toBeGreaterThan(count / 2);
      expect(runCompiler(folder)).toEqual({ status: 0, stdout: "" });
    },
    maxDurationMs,
  );
}

/** Returns the contract of a project, or null if the project has a fault. */
function compile({ documents, entries }: HostileProject): Contract | null {
  const { value, diagnostics } = compileContract(entries, {
    read: (path) => documents.get(path) ?? null,
  });
  const severities = diagnostics.map(({ severity }) => severity);
  expect(severities.includes("error")).toBe(value === null);
  return value;
}

function generate(
  contract: Contract,
  { options, targets }: HostileProject,
): readonly OutputFile[] {
  return emitContract(contract, targets, options, {
    runtimeSources: readRuntime(options.language),
  });
}

function pack(
  contract: Contract,
  name: string,
  { options, targets }: HostileProject,
): readonly OutputFile[] {
  const version = defaultPackageVersion(contract);
  expect(isPackageName(defaultPackageName(contract))).toBe(true);
  expect(isPackageVersion(version)).toBe(true);
  const details = { name, version, runtimeVersion: "1.0.0", kept: {} };
  const packaged = targets.filter(({ name }) => name !== "server");
  return createPackage(contract, details, options, packaged);
}

/** Returns the examples in a package's README as modules. */
function readmeModules(packed: readonly OutputFile[]): readonly OutputFile[] {
  const text = packed.find(({ path }) => path === "README.md")?.text ?? "";
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)\n```$/gmu)];
  const codes = blocks.map(([, code = ""]) => code);
  // Code blocks in doc comments are not escaped.
  const modules = readmeFiles(codes.filter((code) => code !== "broken("));
  return Object.entries(modules).map(([path, text]) => ({ path, text }));
}

function expectPortable(files: readonly OutputFile[]): void {
  const paths = files.map(({ path }) => path.toLowerCase());
  expect(new Set(paths).size).toBe(paths.length);
  for (const path of paths) {
    for (const part of path.split("/")) expect(part).toMatch(portable);
  }
}

function expectVisible({ path, text }: OutputFile): void {
  expect(text.replaceAll("\n", ""), path).not.toMatch(invisible);
  if (path.endsWith(".md")) return expectInert(text);
  if (/\.[jt]s$/u.test(path)) expect(text, path).not.toMatch(/<\/script/iu);
  if (path !== explorerPage) return;
  expect(text.match(/<\/?script\b/giu)).toHaveLength(4);
  const [, data = ""] = /id="contract">\n(.*)\n<\/script>/su.exec(text) ?? [];
  expect(Object.keys(JSON.parse(data))).toContain("title");
}

/**
 * Expects JSON Schema and OpenAPI documents to be valid, and YAML to match JSON
 * in every YAML version.
 */
async function expectDescriptions(
  files: readonly OutputFile[],
  contract: Contract,
  { openapi, options }: HostileProject,
): Promise<void> {
  const asJson = new Map(
    openapiEmitter
      .with({ ...openapi, format: "json" })
      .emit(contract, options)
      .map(({ path, text }) => [path.replace(".json", ".yaml"), text]),
  );
  const documents = files.filter(({ path }) => path.endsWith(".yaml"));
  const isOffered = ({ path }: OutputFile) => path.startsWith("explorer/");
  expect(documents.filter((each) => !isOffered(each))).toHaveLength(
    asJson.size,
  );
  for (const { path, text } of documents) {
    // Downloads of the explorer have their own options.
    const json = asJson.get(path);
    const document: unknown = parse(text);
    if (json !== undefined) expect(document).toEqual(JSON.parse(json));
    expect(parse(text, { version: "1.1" })).toEqual(document);
    const verdict = await validator.validate(Object(document));
    expect(verdict).toMatchObject({ valid: true });
  }
  const schemas = files.filter(({ path }) => path.endsWith("schema.json"));
  expect(schemas).toHaveLength(contract.hosts.length);
  for (const { text } of schemas) {
    const schema = Object(JSON.parse(text));
    const fits = compileSchema(schema, ...Object.keys(schema.$defs));
    expect(fits({ no: "value" })).toBeTypeOf("boolean");
  }
}

/** Loads every module of an output. */
async function run(files: readonly OutputFile[]): Promise<void> {
  const modules = files.filter(({ path }) =>
    /(?<!\.d)\.(?:ts|js)$/u.test(path),
  );
  const loaded = await importEmitted(
    files,
    modules.map(({ path }, at) => `export * as file${at} from "/${path}";`),
  );
  expect(Object.keys(loaded)).toHaveLength(modules.length);
  expect(globalThis).not.toHaveProperty("hijacked");
}

function writeAll(folder: string, files: readonly OutputFile[]): void {
  writeTree(
    folder,
    new Map(files.map(({ path, text }) => [path, withChecks(text)])),
  );
}

/** Compiles all projects at once, and returns the compiler's errors. */
function runCompiler(folder: string): ReturnType<typeof runTsc> {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const config = join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions }));
  return runTsc(config);
}

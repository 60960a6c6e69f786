import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  demoAccessKey,
  demoSecret,
} from "../../examples/platform/credentials.js";
import { serveExample } from "../../examples/platform/serve.js";
import { samples } from "../contract/samples.js";
import { runTsc } from "../support/run-tsc.js";
import { consumerFiles, strictConsumer } from "./consumer-files.js";
import {
  clientName as name,
  pack,
  packageClient,
  root,
  unpack,
} from "./packed.js";

const notification = JSON.stringify(samples["IndexerWebhook.Notify"].request);

let folder = "";
let packageFolder = "";
/** A project that contains only the package and the runtime. */
let project = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ridlkit-package-"));
  packageFolder = join(folder, "package");
  project = join(folder, "project");
  expect(await packageClient(packageFolder)).toBe(0);
  write(project, {
    "package.json": '{ "name": "consumer", "type": "module" }\n',
    ...consumerFiles(name, readmeBlocks()),
  });
  unpack(project, name, pack(packageFolder, folder));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function ownVersion(): string {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
}

function write(to: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), text);
  }
}

function readTree(from: string): Map<string, string> {
  const paths = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(
    paths.map((path) => [
      path.slice(from.length + 1),
      readFileSync(path, "utf8"),
    ]),
  );
}

/** Returns the TypeScript code in the README. */
function readmeBlocks(): string[] {
  const text = readFileSync(join(packageFolder, "README.md"), "utf8");
  return [...text.matchAll(/^```ts\n([\s\S]*?)\n```$/gmu)].map(
    ([, code = ""]) => code,
  );
}

describe("the platform's client package", () => {
  it("is the same in every run", async () => {
    const again = join(folder, "again");
    expect(await packageClient(again)).toBe(0);
    expect(readTree(again)).toEqual(readTree(packageFolder));
  });

  it("has the version of the schema, and depends only on the runtime", () => {
    const text = readFileSync(join(packageFolder, "package.json"), "utf8");
    const data: Record<string, unknown> = JSON.parse(text);
    expect(data).toMatchObject({
      name,
      version: "0.0.1",
      type: "module",
      sideEffects: false,
      engines: { node: expect.any(String) },
    });
    const keys = Object.keys(data);
    expect(keys.filter((key) => /dependencies/iu.test(key))).toEqual([
      "dependencies",
    ]);
    expect(data["dependencies"]).toEqual({
      "@ridlkit/runtime": `^${ownVersion()}`,
    });
    const installed = readdirSync(join(project, "node_modules"));
    expect(installed.filter((entry) => !entry.startsWith("."))).toEqual([
      "@ridlkit",
      "@web3",
    ]);
  });

  it("imports only its own files and the runtime", () => {
    const imported = [...readTree(join(packageFolder, "dist"))].flatMap(
      ([path, text]) =>
        [...text.matchAll(/(?:from|import\(?) ?"([^"]+)"/gu)]
          .map(([, specifier = ""]) => specifier)
          .filter((specifier) => !/^\.{1,2}\/.*\.js$/u.test(specifier))
          .filter((specifier) => !specifier.startsWith("@ridlkit/runtime/"))
          .map((specifier) => `${path}: ${specifier}`),
    );
    expect(imported).toEqual([]);
  });

  it("includes declarations", () => {
    const files = readTree(join(packageFolder, "dist"));
    const scripts = [...files.keys()].filter((path) => path.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(25);
    for (const path of scripts) {
      expect(files.has(path.replace(/\.js$/u, ".d.ts")), path).toBe(true);
    }
  });

  it("contains no server code except receivers", () => {
    const paths = [...readTree(join(packageFolder, "dist")).keys()];
    expect(paths).toContain("indexer/webhooks.js");
    expect(paths.filter((path) => /(?:^|\/)server\.js$/u.test(path))).toEqual(
      [],
    );
  });

  it("works in Node.js with a server", async () => {
    const example = await serveExample(0, () => {});
    try {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["calls.mjs", example.baseUrl, demoAccessKey, demoSecret, notification],
        { cwd: project },
      );
      expect(JSON.parse(stdout)).toEqual({
        price: "1003000",
        refused: [true, true],
        lost: "network",
        single: "1003000",
        received: { status: 200, uids: 1 },
        invalid: 400,
      });
    } finally {
      await example.close();
    }
  });

  it.each(["browser", "neutral"] as const)(
    "can be bundled for %s without external modules",
    async (platform) => {
      const result = await build({
        absWorkingDir: project,
        entryPoints: ["browser.mjs"],
        bundle: true,
        minify: true,
        format: "esm",
        platform,
        write: false,
        metafile: true,
      });
      expect(result.warnings).toEqual([]);
      const [{ imports, bytes } = expect.unreachable()] = Object.values(
        result.metafile.outputs,
      );
      expect(imports).toEqual([]);
      // A single method should include only what it needs.
      expect(bytes).toBeLessThan(8_000);
      expect(result.outputFiles[0]?.text).not.toMatch(/node:|ridlkit/u);
    },
  );

  it.each([
    ["nodenext", { module: "nodenext", moduleResolution: "nodenext" }],
    ["bundler", { module: "esnext", moduleResolution: "bundler" }],
  ])(
    "type-checks for %s, including the README's code",
    (_, options) => {
      const compilerOptions = { ...strictConsumer, ...options };
      expect(readmeBlocks().length).toBeGreaterThan(20);
      const config = `tsconfig.${options.module}.json`;
      write(project, {
        [config]: JSON.stringify({ compilerOptions, include: ["*.ts"] }),
      });
      expect(runTsc(join(project, config))).toEqual({ status: 0, stdout: "" });
    },
    60_000,
  );
});

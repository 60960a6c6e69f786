import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../../platform/process/programs/free-port.js";
import { runTsc } from "../support/run-tsc.js";
import { install, pack, root } from "./packed.js";

const contract = `webrpc = v1

name = echo
version = v1.0.0
basepath = /rpc

service Echo
  - Echo(text: string) => (text: string)
`;

let folder = "";
/** A project in which both packages are installed. */
let project = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ridlkit-own-"));
  project = join(folder, "project");
  mkdirSync(project);
  write({ "package.json": '{ "name": "greeter", "type": "module" }' });
  install(
    project,
    pack(root, folder),
    pack(join(root, "runtime/typescript"), folder),
  );
  // Links the types of Node.js, which the project would install from npm.
  for (const name of ["@types/node", "undici-types"]) {
    const target = join(project, "node_modules", name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(root, "node_modules", name), target);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}

/** Runs a program from an installed package. */
function runBin(name: string, ...args: readonly string[]): string {
  const bin = join(project, "node_modules/.bin", name);
  return execFileSync(bin, args, { cwd: project }).toString();
}

/** Returns the compiler's errors in the files of a tsconfig.json. */
function typeCheck(config: string): string {
  return runTsc(join(project, config)).stdout;
}

function bytesIn(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
    .reduce((sum, size) => sum + size, 0);
}

describe("an installation of ridlkit and its runtime", () => {
  it("contains only the two packages", () => {
    const lock = readFileSync(join(project, "package-lock.json"), "utf8");
    const { packages } = JSON.parse(lock);
    expect(Object.keys(packages)).toEqual([
      "",
      "node_modules/@ridlkit/runtime",
      "node_modules/ridlkit",
    ]);
  });

  it("includes skills for agents", () => {
    const modules = join(project, "node_modules");
    const skillsIn = (name: string): readonly string[] =>
      readdirSync(join(modules, name, "skills"));
    expect(skillsIn("ridlkit")).toEqual(["ridl-contract", "ridl-evolution"]);
    expect(skillsIn("@ridlkit/runtime")).toEqual([
      "ridl-client",
      "ridl-server",
    ]);
    expect(existsSync(join(modules, "ridlkit/runtime/skills"))).toBe(false);
  });

  it("is small", () => {
    const modules = join(project, "node_modules");
    expect(bytesIn(join(modules, "@ridlkit/runtime"))).toBeLessThan(709_000);
    expect(bytesIn(join(modules, "ridlkit"))).toBeLessThan(15_000_000);
  });

  it("runs the command line under both names", () => {
    const version = runBin("ridlkit", "--version");
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/u);
    expect(runBin("ridl", "--version")).toBe(version);
  });

  it("generates, compiles, and runs the output of `ridl init`", async () => {
    const port = String(await findFreePort());
    runBin("ridl", "init");
    for (const side of ["server.ts", "client.ts"]) {
      const text = readFileSync(join(project, side), "utf8");
      write({ [side]: text.replace("8080", port) });
    }
    runBin("ridl", "generate");
    expect(typeCheck("tsconfig.json")).toBe("");
    const cwd = project;
    const server = spawn(process.execPath, ["dist/server.js"], { cwd });
    try {
      await new Promise((resolve) => server.stdout.once("data", resolve));
      const args = ["dist/client.js", "Ada"];
      const greeting = execFileSync(process.execPath, args, { cwd });
      expect(greeting.toString()).toBe("Hello, Ada!\n");
    } finally {
      server.kill();
    }
  });

  it.each(["typescript", "javascript"])(
    "generates %s with a copy of the runtime that compiles",
    (language) => {
      const out = `copy-${language}`;
      write({
        "schema/echo.ridl": contract,
        [`${out}.yaml`]: `schema: [schema/echo.ridl]\nout: ${out}\nlanguage: ${language}\nruntimeFiles: [node, express]\n`,
        [`tsconfig.${out}.json`]: tsconfig([out]),
      });
      runBin("ridl", "generate", "--config", `${out}.yaml`);
      expect(typeCheck(`tsconfig.${out}.json`)).toBe("");
      const imports = readdirSync(join(project, out), { recursive: true })
        .map(String)
        .filter((path) => /\.[jt]s$/u.test(path))
        .map((path) => readFileSync(join(project, out, path), "utf8"))
        .flatMap((text) => [...text.matchAll(/ from "([^".][^"]*)"/gu)])
        .map(([, specifier = ""]) => specifier);
      expect([...new Set(imports)]).toEqual([
        "node:async_hooks",
        "node:buffer",
      ]);
    },
    60_000,
  );

  it("generates the explorer with its script and style", () => {
    write({
      "schema/echo.ridl": contract,
      "docs.yaml": "schema: [schema/echo.ridl]\nout: docs\nemit: [docs]\n",
    });
    runBin("ridl", "generate", "--config", "docs.yaml");
    const files = readdirSync(join(project, "docs/explorer"));
    expect(files).toEqual([
      "echo.ridl",
      "explorer.css",
      "explorer.js",
      "index.html",
      "openapi.yaml",
    ]);
  });

  it("works in a program that checks declarations", () => {
    write({
      "program.ts": `
import { compileContract, emitContract, emitters, type EmitFunction, type Emitter } from "ridlkit";

export const emit: EmitFunction<{ prefix: string }> = (contract, settings, tools) => {
  const file = tools.startFile("aliases");
  const statements = contract.types.map(({ name }) => ({
    kind: tools.kinds.typeAlias,
    name: tools.options.prefix + tools.names.type(name),
    type: file.typeOf({ kind: "reference", name }),
  }));
  return [file.finish(statements)];
};
// @ts-expect-error 12 is not a kind of statement.
export const wrong: EmitFunction = () => [{ path: "a", statements: [{ kind: 12 }] }];
const names: Emitter = {
  name: "names",
  emit: ({ hosts }) => [{ path: "names.txt", text: hosts.map(({ name }) => name).join() }],
};
const { value } = compileContract(["a.ridl"], {
  read: () => ${JSON.stringify(contract)},
});
if (value === null) throw new Error("no contract");
const options = { int64: "number", timestamp: "string", runtime: "import", importExtension: ".js" } as const;
const files = emitContract(value, [...emitters, names], options, { runtimeSources: new Map() });
console.log(files.map(({ path }) => path).join());
`,
      "tsconfig.program.json": tsconfig(["program.ts"]),
    });
    expect(typeCheck("tsconfig.program.json")).toBe("");
    const args = ["built/program.js"];
    const printed = execFileSync(process.execPath, args, { cwd: project });
    expect(printed.toString()).toContain("client.ts,");
    expect(printed.toString()).toContain("names.txt,");
  });
});

/**
 * Prints the strictest settings, which also check the declarations of packages.
 */
function tsconfig(include: readonly string[]): string {
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowJs: true,
    outDir: "built",
    rootDir: ".",
  };
  return JSON.stringify({ compilerOptions, include });
}

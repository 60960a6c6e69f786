import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { goEmitter, type GoOptions } from "../../../generator/4-emit/go/go.js";
import { compileContract } from "../../../generator/compile.js";
import { runCommand } from "../run-command.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const runtime = fileURLToPath(new URL("../../../runtime/go", import.meta.url));

/** `scripts/test-long/languages.js` installs it. */
const staticcheck = fileURLToPath(
  new URL("../.work/go/staticcheck", import.meta.url),
);

const work = mkdtempSync(join(tmpdir(), "ridlkit-go-shared-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

function ridlOf(service: string, method: string, error: string): string {
  return `webrpc = v1
name = ${service.toLowerCase()}
version = v1.0.0
basepath = /rpc

error 1402 ${error} "It is refused" HTTP 402

service ${service}
  @idempotencyKey
  - ${method}(cents: uint64) => (id: string) errors ${error}
  - Watch() => stream (cents: uint64)
  - Close() => ()
`;
}

const ridl = {
  bank: ridlOf("Bank", "Pay", "NoMoney"),
  depot: ridlOf("Depot", "Store", "NoRoom"),
};

/** Writes a package of the module `example.com/app`. */
function writePackage(
  name: keyof typeof ridl,
  app: string,
  options: GoOptions,
): void {
  const module = "example.com/app";
  const own = { module, package: `internal/${name}`, ...options };
  writeOutput(ridl[name], join(app, "internal"), own);
}

/** Writes what the target `go` prints for a document. */
function writeOutput(document: string, folder: string, own: GoOptions): void {
  const { value } = compileContract(["a.ridl"], { read: () => document });
  if (value === null) throw new Error("the contract has errors");
  const emitted = goEmitter.with(own).emit(value, {
    int64: "bigint",
    timestamp: "string",
    runtime: "import",
    importExtension: ".js",
  });
  for (const { path, text } of emitted) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Writes the module of a user, and the test of its packages. */
function writeApp(app: string, path: string, requires: string): void {
  const text = readFileSync(join(here, "shared_test.go"), "utf8");
  writeFileSync(join(app, "app_test.go"), text.replace("RUNTIME", path));
  const mod = `module example.com/app\n\ngo 1.23\n${requires}`;
  writeFileSync(join(app, "go.mod"), mod);
}

it.each([
  ["@idempotencyKey - Put() => ()", "answer_stores.go"],
  ["- List(cursor?: string) => (next?: string)", "pages.go"],
  ["- Watch() => stream (n: uint32)", "streams.go"],
  ["- Ping() => ()", "none"],
])("writes only the parts that `%s` uses", async (method, name) => {
  const parts = ["answer_stores.go", "pages.go", "streams.go"];
  const folder = join(work, name);
  const document = `webrpc = v1\nname = a\nversion = v1.0.0\nservice A\n  ${method}\n`;
  writeOutput(document, folder, { module: "example.com/a" });
  const module = join(folder, "go");
  const files = readdirSync(join(module, "ridl"));
  const expected = parts.filter((each) => each === name);
  expect(files.filter((each) => parts.includes(each))).toEqual(expected);
  if (name !== "none") return;
  for (const each of files) {
    const file = join(module, "ridl", each);
    const text = readFileSync(file, "utf8");
    // It skips unused names in files with such a header.
    writeFileSync(file, text.replace(/^\/\/ Code generated .*\n+/u, ""));
  }
  expect(await runCommand("go", ["vet", "./..."], module)).toBe("");
  expect(await runCommand(staticcheck, ["./..."], module)).toBe("");
});

it("shares the runtime in the package of another contract", async () => {
  const app = join(work, "copied");
  const path = "example.com/app/internal/bank/ridl";
  writePackage("bank", app, {});
  writePackage("depot", app, { runtime: path });
  writeApp(app, path, "");
  expect(await runCommand("go", ["vet", "./..."], app)).toBe("");
  expect(await runCommand("go", ["test", "."], app)).toMatch(/^ok /u);
});

it("imports the runtime from a module that is not in the repository", async () => {
  const app = join(work, "imported");
  const path = "example.com/ridlkit/ridl";
  const proxy = join(work, "proxy");
  await publish(path, "v1.0.0", proxy);
  writePackage("bank", app, { runtime: path });
  writePackage("depot", app, { runtime: path });
  writeApp(app, path, `\nrequire ${path} v1.0.0\n`);
  const env = {
    GOPROXY: `file://${proxy}`,
    GONOSUMDB: "*",
    GOFLAGS: "-mod=mod -modcacherw",
    GOMODCACHE: join(work, "modules"),
  };
  await runCommand("go", ["vet", "./..."], app, env);
  expect(await runCommand("go", ["test", "."], app, env)).toMatch(/^ok /u);
  const files = readdirSync(app, { recursive: true, encoding: "utf8" });
  const names = new Set(readdirSync(runtime));
  const generated = ["client.go", "contract.go", "errors.go", "server.go"];
  const copied = files.filter((each) => each.endsWith(".go")).map(baseOf);
  expect(
    copied.filter((each) => names.has(each) && !generated.includes(each)),
  ).toEqual([]);
});

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Writes a module with the runtime to a folder that is a module proxy. */
async function publish(
  path: string,
  version: string,
  proxy: string,
): Promise<void> {
  const source = join(work, "source", `${path}@${version}`);
  cpSync(runtime, source, { recursive: true });
  const mod = `module ${path}\n\ngo 1.23\n`;
  writeFileSync(join(source, "go.mod"), mod);
  const folder = join(proxy, path, "@v");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "list"), `${version}\n`);
  writeFileSync(join(folder, `${version}.mod`), mod);
  const info = JSON.stringify({ Version: version });
  writeFileSync(join(folder, `${version}.info`), info);
  const program = join(work, "zip.go");
  writeFileSync(program, zipProgram);
  const archive = join(folder, `${version}.zip`);
  const from = join(work, "source");
  await runCommand("go", ["run", program, from, archive], work);
}

const zipProgram = `package main

import (
	"archive/zip"
	"io/fs"
	"os"
)

func main() {
	file, err := os.Create(os.Args[2])
	if err != nil {
		panic(err)
	}
	archive, from := zip.NewWriter(file), os.DirFS(os.Args[1])
	err = fs.WalkDir(from, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(from, path)
		if err != nil {
			return err
		}
		w, err := archive.Create(path)
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	})
	if err != nil {
		panic(err)
	}
	if err := archive.Close(); err != nil {
		panic(err)
	}
}
`;

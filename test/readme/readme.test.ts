import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../generator/cli/config/read-config.js";
import { builtInErrors } from "../../runtime/errors.js";
import { createSandbox } from "../cli/support/sandbox.js";
import type { Sandbox } from "../cli/support/sandbox.js";
import { compile, readBlocks, tsconfig } from "./program.js";

const blocks = readBlocks("README.md");

function blockOf(path: string): string {
  const [block, ...others] = blocks.filter((block) => block.path === path);
  expect(others).toEqual([]);
  return block?.text ?? expect.unreachable(`README.md has no ${path}`);
}

function textOf(language: string): string {
  return blocks
    .filter((block) => block.language === language)
    .map(({ text }) => text)
    .join("");
}

/** A folder with the README's contract, from which the code was generated. */
async function generateShop(): Promise<Sandbox> {
  const sandbox = createSandbox({ "shop.ridl": blockOf("shop.ridl") });
  const result = await sandbox.run(["generate", "shop.ridl"]);
  expect(result).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  return sandbox;
}

describe("README.md", () => {
  test("shows a contract in the one form", async () => {
    const sandbox = createSandbox({ "shop.ridl": blockOf("shop.ridl") });
    const result = await sandbox.run(["fmt", "--check", "shop.ridl"]);
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("shows what is generated from it", async () => {
    const sandbox = await generateShop();
    const shown = blocks.filter(({ path }) => path.startsWith("generated/"));
    expect(shown.map(({ path }) => path)).toEqual([
      "generated/types.ts",
      "generated/validators.ts",
    ]);
    for (const { path, text } of shown) {
      expect(sandbox.read(path)).toContain(text);
    }
  });

  test("has a server and a client that print what it says", async () => {
    const sandbox = await generateShop();
    const port = String(await freePort());
    sandbox.write({
      "server.ts": blockOf("server.ts").replace("8080", port),
      "client.ts": blockOf("client.ts").replace("8080", port),
      "package.json": '{ "type": "module" }',
      "tsconfig.json": tsconfig,
    });
    compile(sandbox);
    const cwd = sandbox.root;
    const server = spawn(process.execPath, ["dist/server.js"], { cwd });
    onTestFinished(() => void server.kill());
    await listening(Number(port));
    const printed = execFileSync(process.execPath, ["dist/client.js"], { cwd });
    expect(printed.toString()).toBe(textOf("text"));
  });

  test("has a server and a client of about ten lines", () => {
    for (const path of ["server.ts", "client.ts"]) {
      const lines = blockOf(path).split("\n").filter(Boolean);
      const statements = lines.filter((line) => !line.startsWith("import "));
      expect(statements.length).toBeLessThanOrEqual(11);
    }
  });

  test("names commands that exist", async () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const commands = textOf("sh")
      .split("\n")
      .map((line) => line.replace(/ *#.*/u, ""))
      .filter(Boolean);
    expect(commands.slice(0, 2)).toEqual([
      "npm ci && npm start",
      "npm ci && npm test",
    ]);
    expect(scripts).toHaveProperty("start");
    expect(scripts).toHaveProperty("test");
    for (const command of commands.slice(2)) {
      const args = command.replace(/^npx ridl /u, "").split(" ");
      const sandbox = createSandbox({ "shop.ridl": blockOf("shop.ridl") });
      sandbox.write({ "ridl.config.yaml": blockOf("ridl.config.yaml") });
      if (args.includes("--check")) await sandbox.run(["generate"]);
      const untilInterrupted = (): Promise<void> => Promise.resolve();
      const result = await sandbox.run(args, { untilInterrupted });
      expect([command, result.stderr, result.exitCode]).toEqual([
        command,
        "",
        0,
      ]);
    }
  });
});

test.each(["README.md", "docs/cli.md"])("%s shows valid settings", (page) => {
  const shown = readBlocks(page).filter(({ language }) => language === "yaml");
  expect(shown.length).toBeGreaterThan(0);
  for (const { text } of shown) {
    const { diagnostics } = readConfig({ path: page, text });
    expect(diagnostics).toEqual([]);
  }
});

test("docs/wire.md shows JSON", () => {
  const shown = readBlocks("docs/wire.md").filter(
    ({ language }) => language === "json",
  );
  expect(shown.length).toBeGreaterThan(0);
  for (const { text } of shown) expect(() => JSON.parse(text)).not.toThrow();
});

test("docs/wire.md has the built-in errors as they are", () => {
  const rows = readFileSync("docs/wire.md", "utf8").matchAll(
    /^\| `(Webrpc\w+)` \| (\S+) \| (\d+) \| (.+) \|$/gmu,
  );
  const table = [...rows].map(([, name, code, status, message]) => ({
    name,
    code: Number(code),
    status: Number(status),
    message,
  }));
  expect(table).toEqual(
    Object.values(builtInErrors).map(({ name, code, status, message }) => ({
      name,
      code,
      status,
      message,
    })),
  );
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return address.port;
}

/** Resolves once something answers at the port. */
async function listening(port: number): Promise<void> {
  const url = `http://localhost:${port}/`;
  while (!(await fetch(url).catch(() => null))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

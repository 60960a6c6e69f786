import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { builtInErrors } from "../../runtime/typescript/wire/errors.js";
import { makeRepository } from "../cli/support/repository.js";
import { createSandbox } from "../cli/support/sandbox.js";
import {
  compileBoth,
  compileErrors,
  generate,
  readBlocks,
  run,
  textOf,
} from "./program.js";

const page = "README.md";
const blocks = readBlocks(page);
const contract = { "shop.ridl": textOf(page, "shop.ridl") };

describe("README.md", () => {
  test("shows a contract, a call, and a compiler error within 40 lines", async () => {
    const text = readFileSync(page, "utf8");
    const shown = textOf(page, "console");
    const [before = "", rest] = text.split(shown);
    expect(rest).toBeDefined();
    expect(`${before}${shown}`.trimEnd().split("\n").length).toBeLessThan(40);
    const sandbox = await generate(contract);
    const call = textOf(page, "call.ts");
    expect(compileErrors(sandbox, { "call.ts": call })).toBe(shown);
  });

  test("has a server and a client with the documented output", async () => {
    const { sandbox, port } = await compileBoth(page, "shop.ridl");
    const cwd = sandbox.root;
    const server = spawn(process.execPath, ["dist/server.js"], { cwd });
    onTestFinished(() => void server.kill());
    await listening(port);
    expect(run(sandbox, "dist/client.js")).toBe(textOf(page, "text"));
  });

  test("has a server and a client of at most 11 lines each, not counting imports", () => {
    for (const path of ["server.ts", "client.ts"]) {
      const lines = textOf(page, path).split("\n").filter(Boolean);
      const statements = lines.filter((line) => !line.startsWith("import "));
      expect(statements.length).toBeLessThanOrEqual(11);
    }
  });

  test("names existing commands", async () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const commands = blocks
      .filter(({ language }) => language === "sh")
      .flatMap(({ text }) => text.split("\n"))
      .map((line) => line.replace(/ *#.*/u, ""))
      .filter(Boolean);
    const isOurs = (command: string): boolean =>
      command.startsWith("npx ridlkit ");
    expect(commands.filter((command) => !isOurs(command))).toEqual([
      "npm init --yes && npm pkg set type=module",
      "npm install --save-dev ridlkit typescript @types/node",
      "npm install @ridlkit/runtime",
      "npx tsc --target es2022 --module nodenext --types node --outDir dist server.ts client.ts",
      "node dist/server.js",
      "node dist/client.js",
      "npm ci && npm start",
      "npm ci && npm test",
    ]);
    expect(scripts).toHaveProperty("start");
    expect(scripts).toHaveProperty("test");
    for (const command of commands.filter(isOurs)) {
      const args = command.replace(/^npx ridlkit /u, "").split(" ");
      const sandbox = createSandbox({
        ...contract,
        "ridl.config.yaml": "schema: [shop.ridl]\n",
      });
      if (args.includes("--check")) await sandbox.run(["generate"]);
      if (args.includes("breaking")) makeRepository(sandbox);
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

test("docs/wire.md shows valid JSON", () => {
  const shown = readBlocks("docs/wire.md").filter(
    ({ language }) => language === "json",
  );
  expect(shown.length).toBeGreaterThan(0);
  for (const { text } of shown) expect(() => JSON.parse(text)).not.toThrow();
});

test("docs/wire.md lists the built-in errors", () => {
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

/** Resolves when a server responds at the port. */
async function listening(port: number): Promise<void> {
  const url = `http://localhost:${port}/`;
  while (!(await fetch(url).catch(() => null))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

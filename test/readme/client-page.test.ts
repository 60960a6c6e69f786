import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../cli/support/sandbox.js";
import { compile, readBlocks, tsconfig } from "./program.js";

const blocks = readBlocks("docs/client.md");
const programs = blocks.filter(({ path }) => path.endsWith(".ts"));
const outputs = blocks.filter(({ language }) => language === "text");

/** The contract and all programs of the page, compiled. */
async function build(): Promise<Sandbox> {
  const contract = blocks.find(({ path }) => path === "shop.ridl");
  const sandbox = createSandbox({ "shop.ridl": contract?.text ?? "" });
  for (const command of [["fmt", "--check"], ["generate"]]) {
    const result = await sandbox.run([...command, "shop.ridl"]);
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  }
  sandbox.write({
    ...Object.fromEntries(programs.map(({ path, text }) => [path, text])),
    "package.json": '{ "type": "module" }',
    "tsconfig.json": tsconfig,
  });
  compile(sandbox);
  return sandbox;
}

test("docs/client.md has programs that print what it says", async () => {
  const sandbox = await build();
  for (const { path, text } of outputs) {
    const program = `dist/${path.replace(/\.txt$/u, ".js")}`;
    // It ends by itself: nothing is left behind that would keep it alive.
    const options = { cwd: sandbox.root, timeout: 20_000 };
    const printed = execFileSync(process.execPath, [program], options);
    expect(printed.toString()).toBe(text);
  }
});

test("docs/client.md has a program for each output, and the other way round", () => {
  const nameOf = ({ path }: { path: string }): string =>
    path.replace(/\.\w+$/u, "");
  expect(["server", ...outputs.map(nameOf)]).toEqual(programs.map(nameOf));
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { exitCodes } from "../../cli/system/exit-codes.js";
import { usages } from "../../cli/usage.js";
import { createSandbox } from "./support/sandbox.js";

/** The arguments of each command that reads documents, with one of them. */
const readers: Readonly<Record<string, (path: string) => readonly string[]>> = {
  breaking: (path) => [path, "--against", "good.ridl"],
  call: (path) => ["Shop/Get", "--schema", path, "--url", "http://[::1]:1"],
  check: (path) => [path],
  export: (path) => ["--format", "json", path],
  fmt: (path) => [path],
  generate: (path) => [path],
  implement: (path) => [path],
  mcp: (path) => [path, "--url", "http://[::1]:1"],
  mock: (path) => [path],
  package: (path) => [path, "--out", "client"],
  test: (path) => ["http://[::1]:1", path],
};

const good = `webrpc = v1
name = shop
version = v1.0.0

service Shop
  - Get(id: string) => (name: string)
`;

const files = { "good.ridl": good, "broken.ridl": good.replace(" =>", "=") };

/** Runs a command in a folder of its own. */
async function exitCodeOf(
  command: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<number> {
  const sandbox = createSandbox({ ...files, ...more });
  return (await sandbox.run([command, ...args])).exitCode;
}

test("the same fault has the same exit code in every command that reads documents", async () => {
  const found: unknown[] = [];
  for (const [command, argsFor] of Object.entries(readers)) {
    const config = { "ridl.config.yaml": "documents: {}\n" };
    found.push({
      command,
      brokenDocument: await exitCodeOf(command, argsFor("broken.ridl")),
      missingDocument: await exitCodeOf(command, argsFor("missing.ridl")),
      brokenConfig: await exitCodeOf(command, argsFor("good.ridl"), config),
    });
  }
  expect(found).toEqual(
    Object.keys(readers).map((command) => ({
      command,
      brokenDocument: exitCodes.failure,
      missingDocument: exitCodes.failure,
      brokenConfig: exitCodes.failure,
    })),
  );
});

test("no other command reads documents", () => {
  const names = [...usages].flatMap(([name, { arguments: terms }]) =>
    terms.some(([term]) => term === "[schema...]") ? name : [],
  );
  // `call` takes them as a flag, and `test` after the address.
  expect([...names, "call"].sort()).toEqual(Object.keys(readers).sort());
});

test("every command rejects an invalid command line with the same code", async () => {
  const codes = new Set<number>();
  for (const command of usages.keys()) {
    codes.add(await exitCodeOf(command, ["--no-such-flag"]));
  }
  expect([...codes]).toEqual([exitCodes.usage]);
});

test("the documentation lists every exit code", () => {
  const page = readFileSync(
    new URL("../../docs/cli.md", import.meta.url),
    "utf8",
  );
  const listed = [...page.matchAll(/^\| (\d+) \| .+ \|$/gmu)];
  expect(listed.map(([, code]) => Number(code))).toEqual(
    Object.values(exitCodes),
  );
});

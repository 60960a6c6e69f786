import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import { compile, readBlocks, tsconfig } from "./program.js";

const blocks = readBlocks("docs/files.md");

function textOf(wanted: string): string {
  const [block, ...others] = blocks.filter(
    ({ language, path }) => path === wanted || language === wanted,
  );
  expect(others).toEqual([]);
  return block?.text ?? expect.unreachable(`docs/files.md has no ${wanted}`);
}

test("docs/files.md has a server and a client that print what it says", async () => {
  const sandbox = createSandbox({ "pictures.ridl": textOf("pictures.ridl") });
  expect(await sandbox.run(["fmt", "--check", "pictures.ridl"])).toMatchObject({
    exitCode: 0,
  });
  expect(await sandbox.run(["generate", "pictures.ridl"])).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
  const port = String(40_000 + (process.pid % 20_000));
  sandbox.write({
    "server.ts": textOf("server.ts").replace("8080", port),
    "client.ts": textOf("client.ts").replace("8080", port),
    "package.json": '{ "type": "module" }',
    "tsconfig.json": tsconfig,
  });
  compile(sandbox);
  const cwd = sandbox.root;
  // It ends by itself: nothing is left behind that would keep it alive.
  const printed = execFileSync(process.execPath, ["dist/client.js"], {
    cwd,
    timeout: 20_000,
  });
  expect(printed.toString()).toBe(textOf("text"));
});

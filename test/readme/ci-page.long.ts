import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installRidlkit } from "../ci/checkout.js";
import { createSandbox } from "../cli/support/sandbox.js";
import { textOf } from "./program.js";

const page = "docs/ci.md";
const contract =
  "webrpc = v1\nname = shop\nversion = v1.0.0\n\nservice Shop\n  - Ping() => ()\n";

test("docs/ci.md has working commands and a working hook", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": "schema: [shop.ridl]\nemit: [types]\n",
    "shop.ridl": contract,
    ".gitignore": "node_modules\n",
    ".githooks/pre-commit": textOf(page, ".githooks/pre-commit"),
    "ci.sh": textOf(page, "ci.sh"),
    "package.json": "{}",
  });
  installRidlkit(sandbox.root);
  chmodSync(join(sandbox.root, ".githooks/pre-commit"), 0o755);
  const run = (command: string, ...args: readonly string[]) =>
    spawnSync(command, args, { cwd: sandbox.root, encoding: "utf8" });
  const commit = () => {
    run("git", "add", "--all");
    const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    return run("git", ...author, "commit", "--message", "x");
  };
  run("git", "init", "--quiet", "--initial-branch", "main");
  run("git", "config", "core.hooksPath", ".githooks");
  const refused = commit();
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain("error[drift]");
  await sandbox.run(["generate"]);
  expect(commit()).toMatchObject({ status: 0 });
  run("git", "branch", "origin/main");
  const passed = run("sh", "ci.sh");
  expect(passed).toMatchObject({ status: 0 });
  expect(passed.stdout).toContain("nothing breaks");
  sandbox.remove("generated/types.ts");
  expect(run("sh", "ci.sh")).toMatchObject({ status: 1 });
});

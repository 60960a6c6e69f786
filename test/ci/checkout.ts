import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { createSandbox, type Sandbox } from "../cli/support/sandbox.js";

const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n\n";
const shop = `${head}service Shop\n  - Ping() => ()\n  - Pong() => ()\n`;
const smaller = shop.replace("  - Pong() => ()\n", "");

/** The steps that check a contract. */
export const checks = [
  "Find ridlkit",
  "Check the contract",
  "Compare generated code",
  "Find breaking changes",
];

function git(sandbox: Sandbox, folder: string, ...args: string[]): void {
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  const cwd = join(sandbox.root, folder);
  const { status, stderr } = spawnSync("git", [...author, ...args], { cwd });
  expect(status, String(stderr)).toBe(0);
}

/** Simulates an installation of the built ridlkit. */
export function installRidlkit(folder: string): void {
  const bin = join(folder, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["ridl", "ridlkit"]) {
    symlinkSync(resolve("bin/ridl.js"), join(bin, name));
  }
}

/**
 * Creates a sandbox with a runner's checkout of a pull request that removes a
 * method. The `main` branch is in the `origin` folder.
 */
export async function checkOut(...depth: readonly string[]): Promise<Sandbox> {
  const sandbox = createSandbox({
    "origin/api/ridl.config.yaml": "schema: [shop.ridl]\nemit: [types]\n",
    "origin/api/shop.ridl": shop,
    "origin/.gitignore": "node_modules\n",
  });
  const generate = { folder: "origin/api" };
  await sandbox.run(["generate"], generate);
  git(sandbox, "origin", "init", "--quiet", "--initial-branch", "main");
  git(sandbox, "origin", "add", "--all");
  git(sandbox, "origin", "commit", "--quiet", "--message", "x");
  git(sandbox, "origin", "checkout", "--quiet", "-b", "feature");
  sandbox.write({ "origin/api/shop.ridl": smaller });
  git(sandbox, "origin", "commit", "--quiet", "--all", "--message", "y");
  const from = `file://${join(sandbox.root, "origin")}`;
  git(sandbox, ".", "clone", "--quiet", ...depth, from, "checkout");
  installRidlkit(join(sandbox.root, "checkout"));
  return sandbox;
}

/** The inputs for this checkout. */
export const config = { config: "api/ridl.config.yaml" };
/** The environment of a pull request to `main`. */
export const pullRequest = { GITHUB_BASE_REF: "main" };

import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import type { Sandbox } from "./sandbox.js";

const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];

/** Runs git in a sandbox. */
export function git(sandbox: Sandbox, ...args: string[]): void {
  const { status, stderr } = spawnSync("git", [...author, ...args], {
    cwd: sandbox.root,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
}

/** Commits everything in a sandbox. */
export function commit(sandbox: Sandbox): void {
  git(sandbox, "add", "--all");
  git(sandbox, "commit", "--quiet", "--message", "x");
}

/**
 * Turns a sandbox into a repository and commits its files to the main branch.
 */
export function makeRepository(sandbox: Sandbox): void {
  git(sandbox, "init", "--quiet", "--initial-branch", "main");
  commit(sandbox);
}

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

/** Commits all that is in a sandbox. */
export function commit(sandbox: Sandbox): void {
  git(sandbox, "add", "--all");
  git(sandbox, "commit", "--quiet", "--message", "x");
}

/** Makes a sandbox a repository whose main branch has what is in it now. */
export function makeRepository(sandbox: Sandbox): void {
  git(sandbox, "init", "--quiet", "--initial-branch", "main");
  commit(sandbox);
}

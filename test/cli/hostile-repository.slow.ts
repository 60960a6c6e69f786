import { spawnSync } from "node:child_process";
import { chmodSync, renameSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import {
  CodeLensRefreshRequest,
  CodeLensRequest,
} from "vscode-languageserver-protocol";
import { findProgram, runGit } from "../../cli/node/run-git.js";
import { installRidlkit } from "../ci/checkout.js";
import { runAction } from "../ci/action.js";
import { type Run, startEditor, startHere } from "../lsp/editor.js";
import {
  createHostileRepository,
  transports,
} from "./support/hostile-repository.js";
import { drawSome } from "../support/draw-some.js";
import { createSandbox } from "./support/sandbox.js";

const urls = drawSome(Object.entries(transports), 3);

test.each(urls)("without protection, git fetches with %s", (_, url) => {
  const { ran, sandbox } = createHostileRepository(url);
  const { GIT_NO_LAZY_FETCH: _no, ...env } = process.env;
  spawnSync("git", ["cat-file", "blob", "main:shop.ridl"], {
    cwd: sandbox.root,
    env,
  });
  expect(ran()).not.toEqual([]);
});

test.each(urls)(
  "no command runs a program to fetch with %s",
  async (_, url) => {
    const { ran, sandbox } = createHostileRepository(url);
    for (const words of [
      "check",
      "fmt --check",
      "export --format ridl",
      "generate",
    ]) {
      expect(await sandbox.run(words.split(" "))).toMatchObject({
        exitCode: 0,
      });
    }
    const { exitCode, stderr } = await sandbox.run(["breaking"]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/shop\.ridl.*this clone does not contain it/su);
    expect(ran()).toEqual([]);
  },
);

test("the language server runs no program of a repository", async () => {
  const { ran, sandbox } = createHostileRepository(transports["ssh"] ?? "");
  const { connection, open, uriOf } = await startEditor(sandbox);
  const compared = new Promise((resolve) => {
    connection.onRequest(CodeLensRefreshRequest.type, () => resolve(true));
  });
  await open("shop.ridl");
  const textDocument = { uri: uriOf("shop.ridl") };
  await connection.sendRequest(CodeLensRequest.type, { textDocument });
  expect(await compared).toBe(true);
  // The first lenses start the comparison, and the next ones show it.
  await connection.sendRequest(CodeLensRequest.type, { textDocument });
  expect(ran()).toEqual([]);
});

test("the language server does not run git in an untrusted workspace", async () => {
  const ran: string[] = [];
  const start = (folder: string): Run =>
    startHere(folder, (system) => ({
      runGit: (...[where, args]) => {
        ran.push(args.join(" "));
        return system.runGit(where, args);
      },
    }));
  const lenses = async (isTrusted: boolean) => {
    const { connection, open, uriOf } = await startEditor(
      createHostileRepository(".").sandbox,
      start,
      { isTrusted },
    );
    await open("shop.ridl");
    const textDocument = { uri: uriOf("shop.ridl") };
    await connection.sendRequest(CodeLensRequest.type, { textDocument });
  };
  await lenses(false);
  await lenses(true);
  // The second server starts git long after the first one would have.
  await expect.poll(() => ran.length).toBeGreaterThan(0);
  expect(
    ran.filter((args) => args.startsWith("rev-parse --show")),
  ).toHaveLength(1);
});

test("the GitHub action runs no program of a repository", () => {
  const { ran, sandbox } = createHostileRepository(transports["ssh"] ?? "");
  const runner = createSandbox({});
  symlinkSync(sandbox.root, join(runner.root, "checkout"));
  installRidlkit(join(runner.root, "checkout"));
  const steps = ["Find ridlkit", "Find breaking changes"];
  const results = runAction(runner, steps, { against: "main" });
  const result = results.get("Find breaking changes");
  expect(result?.output).toContain("this clone does not contain it");
  expect(ran()).toEqual([]);
});

test("ignores a bare repository among the files of a folder", () => {
  const { sandbox } = createHostileRepository(".");
  const bare = join(sandbox.root, "bare");
  renameSync(join(sandbox.root, ".git"), bare);
  spawnSync("git", ["config", "--file", "config", "core.bare", "true"], {
    cwd: bare,
  });
  const args = ["rev-parse", "HEAD"] as const;
  const plain = spawnSync("git", args, { cwd: bare });
  expect(plain.status).toBe(0);
  expect(runGit(bare, args)).toBeNull();
});

test("looks for programs only in absolute folders", () => {
  const { root } = createSandbox({ "bin/git": "", "bin/git.exe": "", git: "" });
  for (const name of ["bin/git", "bin/git.exe", "git"]) {
    chmodSync(join(root, name), 0o755);
  }
  const path = ["", ".", "bin", join(root, "none"), join(root, "bin")];
  const find = (folders: readonly string[], platform = "linux") =>
    findProgram("git", folders.join(delimiter), platform);
  expect(find(path)).toBe(join(root, "bin/git"));
  expect(find(path, "win32")).toBe(join(root, "bin/git.exe"));
  expect(find([`"${join(root, "bin")}"`])).toBe(join(root, "bin/git"));
  expect(find(["", ".", "test"])).toBeNull();
});

test("a program named git in the working folder does not run", async () => {
  const { ran, sandbox } = createHostileRepository(".");
  renameSync(join(sandbox.root, "program"), join(sandbox.root, "git"));
  const { status } = spawnSync(
    process.execPath,
    [join(process.cwd(), "bin/ridl.js"), "breaking"],
    {
      cwd: sandbox.root,
      env: { ...process.env, PATH: `.${delimiter}${process.env["PATH"]}` },
    },
  );
  expect(status).toBe(1);
  expect(ran()).toEqual([]);
});

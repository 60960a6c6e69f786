import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { targetNames } from "../../generator/4-emit/registry.js";
import { FileError } from "../../cli/system/system.js";
import { createSandbox } from "./support/sandbox.js";

const version: unknown = JSON.parse(
  readFileSync("package.json", "utf8"),
).version;

describe("the command line", () => {
  test("prints the version with --version", async () => {
    expect(await createSandbox().run(["--version"])).toEqual({
      exitCode: 0,
      stdout: `${String(version)}\n`,
      stderr: "",
    });
  });

  test("--help lists the commands and examples", async () => {
    const { exitCode, stdout } = await createSandbox().run(["--help"]);
    expect(exitCode).toBe(0);
    for (const text of ["generate", "check", "fmt", "init", "Examples:"]) {
      expect(stdout).toContain(text);
    }
  });

  test.each([
    ["generate", "--help"],
    ["gen", "-h"],
    ["help", "generate"],
  ])("%s %s lists every target", async (...args) => {
    const { stdout } = await createSandbox().run(args);
    for (const name of targetNames) expect(stdout).toMatch(`\n  ${name} `);
    const [byDefault = "", others] = stdout.split("`emit` in");
    expect(byDefault).toContain("\n  client ");
    expect(others).toContain("\n  openapi ");
  });

  test("help prints the same as --help", async () => {
    const run = (...args: readonly string[]) => createSandbox().run(args);
    const helped = await run("check", "--help");
    expect(helped.stdout).toContain("Usage: ridl check");
    expect(await run("help", "check")).toEqual(helped);
    expect(await run("help")).toEqual(await run("--help"));
  });

  test("fails and shows the help if there is no command", async () => {
    const { exitCode, stderr } = await createSandbox().run([]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Usage: ridl");
  });

  test.each([
    [["generate", "--chekc"], "Did you mean --check?"],
    [["genrate"], "Did you mean generate?"],
    [["generate", "--format", "xml"], "text, json, github, sarif"],
    [["generate", "--check", "--watch"], "cannot be used with"],
    [["generate", "--check", "--dry-run"], "cannot be used with"],
    [["generate", "--config", "no.yaml"], "there is no file `no.yaml`"],
    [["generate"], "ridl init"],
    [["check"], "ridl init"],
    [["generate", "--out", ""], "`--out` is empty"],
    [["generate", ""], "the name of a document is empty"],
    [["help", "genrate"], "unknown command 'genrate'"],
    [["explain", "../../README"], "there is no diagnostic"],
  ])("%j exits with code 2 and explains what to do", async (args, text) => {
    const { exitCode, stdout, stderr } = await createSandbox().run(args);
    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(text);
  });

  test("mentions a configuration in a parent folder or with another name", async () => {
    const sandbox = createSandbox({
      "ridl.config.yaml": "schema: [a.ridl]\n",
      "below/a/b.ridl": "",
      "other/ridl.config.yml": "schema: [a.ridl]\n",
    });
    const below = await sandbox.run(["check"], { folder: "below/a" });
    expect(below.stderr).toContain("`--config ../../ridl.config.yaml`");
    const other = await sandbox.run(["check"], { folder: "other" });
    expect(other.stderr).toContain(
      "rename `ridl.config.yml` to `ridl.config.yaml`",
    );
    const closed = await sandbox.run(["check"], {
      folder: "below/a",
      patch: () => ({
        listFolder: (path) => {
          throw new FileError(path, "read", null);
        },
      }),
    });
    expect(closed.stderr).toContain("run `ridl init`");
  });

  test("points to the help for a command after an error in its flags", async () => {
    const { stderr } = await createSandbox().run(["check", "--out", "x"]);
    expect(stderr).toContain("run `ridl check --help`");
    const { stderr: unknown } = await createSandbox().run(["chek"]);
    expect(unknown).toContain("run `ridl --help`");
  });

  test("explains how to report a crash", async () => {
    const sandbox = createSandbox({ "ridl.config.yaml": "schema: [a.ridl]\n" });
    const { exitCode, stderr } = await sandbox.run(["generate"], {
      patch: () => ({
        listFolder: () => {
          throw new TypeError("x is not a function");
        },
      }),
    });
    expect(exitCode).toBe(70);
    expect(stderr).toMatch(/^error: ridl crashed\. This is a bug in ridlkit/u);
    expect(stderr).toContain(`ridlkit ${String(version)}, node `);
    expect(stderr).toContain("TypeError: x is not a function");
  });
});

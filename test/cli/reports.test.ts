import { describe, expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const files = {
  "ridl.config.yaml": "schema: [a.ridl]\n",
  "a.ridl": "webrpc = v1\n\nstruct Item\n  - id: Nope\n",
};

describe("--format", () => {
  test("prints human-readable text, and points to `ridl explain` if standard error is a terminal", async () => {
    const sandbox = createSandbox(files);
    const plain = await sandbox.run(["check"]);
    expect(plain).toMatchObject({ exitCode: 1, stdout: "" });
    expect(plain.stderr).toMatch(/^error\[unknown-type\]: .*\n\n1 error\n$/su);
    const { stderr } = await sandbox.run(["check"], { isTerminal: true });
    expect(stderr).toMatch(
      /\n1 error; run `ridl explain unknown-type` for details\n$/u,
    );
  });

  test("prints one JSON document to standard output, even without findings", async () => {
    const sandbox = createSandbox(files);
    const bad = await sandbox.run(["generate", "--format", "json"]);
    expect(bad).toMatchObject({ exitCode: 1, stderr: "" });
    expect(JSON.parse(bad.stdout)).toMatchObject({
      diagnostics: [
        {
          severity: "error",
          file: "a.ridl",
          line: 4,
          column: expect.any(Number),
        },
      ],
    });
    sandbox.write({ "a.ridl": "webrpc = v1\n\nstruct Item\n  - id: string\n" });
    for (const command of ["generate", "check"]) {
      const args = [command, "--format", "json"];
      const good = await sandbox.run(args, { isTerminal: true });
      expect(good.exitCode).toBe(0);
      expect(JSON.parse(good.stdout)).toEqual({ diagnostics: [] });
    }
  });

  test("prints GitHub annotations", async () => {
    const { stdout } = await createSandbox(files).run([
      "check",
      "--format=github",
    ]);
    expect(stdout).toMatch(/^::error .*file=a\.ridl,line=4/mu);
  });

  test("prints a SARIF log", async () => {
    const { stdout } = await createSandbox(files).run([
      "check",
      "--format=sarif",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      version: "2.1.0",
      runs: [{ results: [{ level: "error" }] }],
    });
  });

  test("reports an unreadable file in the requested format", async () => {
    const sandbox = createSandbox({ ...files, "generated/types.ts/x": "" });
    sandbox.write({ "a.ridl": "webrpc = v1\n\nstruct Item\n  - id: string\n" });
    const { stdout } = await sandbox.run(["generate", "--format", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      diagnostics: [{ code: "file-access" }],
    });
  });
});

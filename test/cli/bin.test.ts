import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** Runs the built program as users do. */
const ridl = (...args: string[]) =>
  spawnSync(process.execPath, ["bin/ridl.js", ...args], { encoding: "utf8" });

test("bin/ridl.js prints the version of the package", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(ridl("--version")).toMatchObject({
    status: 0,
    stdout: `${version}\n`,
    stderr: "",
  });
});

test("bin/ridl.js ends with the code of the command", () => {
  expect(ridl("generate", "--nonsense").status).toBe(2);
  expect(ridl("generate", "no-such-file.ridl").status).toBe(1);
  expect(ridl("check", "schema").status).toBe(0);
});

test("bin/ridl.js packages clients, compiler included", () => {
  const folder = mkdtempSync(join(tmpdir(), "ridl-bin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { status, stderr } = ridl("package", "--out", folder);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(readdirSync(join(folder, "dist"))).toContain("client.d.ts");
}, 60_000);

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

test("a checkout without a build prints a one-line request to build it", () => {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-not-built-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync("bin", join(folder, "bin"), { recursive: true });
  for (const words of [["generate"], ["--version"]]) {
    const bin = join(folder, "bin/ridl.js");
    const run = spawnSync(process.execPath, [bin, ...words], {
      encoding: "utf8",
    });
    expect(run.stderr).toBe(
      "error: ridlkit is not built; run `npm run build` first\n",
    );
    expect(run.status).toBe(1);
  }
});

test("files without ridlkit's package.json fail with a request to install it", () => {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-incomplete-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const each of ["bin", "dist/cli"]) {
    cpSync(each, join(folder, each), { recursive: true });
  }
  for (const words of [["lsp"], ["--version"]]) {
    const bin = join(folder, "bin/ridl.js");
    const run = spawnSync(process.execPath, [bin, ...words], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(run.stderr).toMatch(
      /there is no package\.json above `.*dist\/cli`; install ridlkit again/u,
    );
    expect(run.status).toBe(1);
  }
});

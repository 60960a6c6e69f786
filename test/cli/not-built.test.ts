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

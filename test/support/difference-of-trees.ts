import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeTree } from "./write-tree.js";

/** Prevents the user's git settings from changing the output. */
const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};

/**
 * Returns the difference between two file trees as a unified diff without
 * context.
 */
export function differenceOfTrees(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-difference-"));
  try {
    writeTree(join(folder, "before"), before);
    writeTree(join(folder, "after"), after);
    const { stdout } = spawnSync(
      "git",
      ["diff", "--no-index", "--no-prefix", "--unified=0", "before", "after"],
      { cwd: folder, env, encoding: "utf8" },
    );
    return stdout
      .replace(/^(?:diff|index) .*\n/gmu, "")
      .replace(/^(@@ .*? @@).*$/gmu, "$1");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

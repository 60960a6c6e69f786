// Copies docs/skills to skills/, where instructions of projects name them in the
// installed package, or removes the copy. Runs before and after packing.
import { cpSync, rmSync } from "node:fs";
import { argv } from "node:process";

const copy = new URL("../skills", import.meta.url);
rmSync(copy, { recursive: true, force: true });
if (!argv.includes("--remove")) {
  cpSync(new URL("../docs/skills", import.meta.url), copy, { recursive: true });
}

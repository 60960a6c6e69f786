// Removes the output of earlier builds, so that no stale file is published.
import { rmSync } from "node:fs";

for (const folder of ["../dist", "../runtime/typescript/dist"]) {
  rmSync(new URL(folder, import.meta.url), { recursive: true, force: true });
}

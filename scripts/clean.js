// Removes what an earlier build left, so that nothing stale is published.
import { rmSync } from "node:fs";

for (const folder of ["../dist", "../runtime/dist"]) {
  rmSync(new URL(folder, import.meta.url), { recursive: true, force: true });
}

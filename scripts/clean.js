// Removes what an earlier build left, so that nothing stale is published.
import { rmSync } from "node:fs";

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });

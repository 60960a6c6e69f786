import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Lists the test files that draw their cases, or have larger ones. `npm test`
 * runs fewer or smaller cases of these files, and `npm run test:long` runs them again with all.
 */
export function drawnFiles() {
  return readdirSync("test", { recursive: true })
    .map((path) => join("test", path))
    .filter((path) => path.endsWith(".test.ts"))
    .filter((path) =>
      /\bfc\.(assert|check)\(|\b(?:drawSome|sampleOn)\(|\bisLong\b/.test(
        readFileSync(path, "utf8"),
      ),
    );
}

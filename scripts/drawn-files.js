import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Lists the test files that draw their cases. `npm test` runs fewer cases of
 * these files, and `npm run test:long` runs them again with all.
 */
export function drawnFiles() {
  return readdirSync("test", { recursive: true })
    .map((path) => join("test", path))
    .filter((path) => path.endsWith(".test.ts"))
    .filter((path) =>
      /\bfc\.(assert|check)\(|\bdrawSome\(/.test(readFileSync(path, "utf8")),
    );
}

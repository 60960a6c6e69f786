import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the site reads files of the repository that exist", () => {
  const scripts = execFileSync("git", ["ls-files", "docs/site/**.js"])
    .toString()
    .trim()
    .split("\n");
  const paths = scripts.flatMap((script) =>
    [
      ...readFileSync(script, "utf8").matchAll(
        /`\$\{root\}\/((?!dist\/|[^`]*\.work`)[\w./-]+\.\w+)`/gu,
      ),
    ].map(([, path = ""]) => path),
  );
  expect(paths).toContain("apps/playground/build.js");
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

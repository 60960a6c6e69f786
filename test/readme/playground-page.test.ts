import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { textOf } from "./program.js";

test("docs/editors.md names the commands that build the playground", () => {
  const [first = "", second = ""] = textOf(
    "docs/editors.md#The playground",
    "sh",
  ).split("\n");
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(scripts).toHaveProperty(first.replace(/^npm run /u, ""));
  // The tests in `test/browser` run the second command and load its output.
  expect(existsSync(second.replace(/^node /u, ""))).toBe(true);
  expect(readFileSync(second.replace(/^node /u, ""), "utf8")).toContain(
    "dist/playground",
  );
});

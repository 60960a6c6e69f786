import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import { linkPackages, run, textOf } from "./program.js";

const page = "docs/guides/zod.md";

test("docs/guides/zod.md imports the contract that it shows", async () => {
  const sandbox = createSandbox({
    "document.mjs": textOf(page, "document.mjs"),
  });
  linkPackages(join(sandbox.root, "node_modules"), ["zod"]);
  run(sandbox, "document.mjs");
  const result = await sandbox.run(
    "import openapi shop.json --out schema/shop.ridl".split(" "),
  );
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  const written = readFileSync(join(sandbox.root, "schema/shop.ridl"), "utf8");
  expect(written.trim()).toBe(textOf(page, "schema/shop.ridl").trim());
});

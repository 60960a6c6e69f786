import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generate, textOf } from "./program.js";

const page = "docs/markdown.md";

test("docs/markdown.md shows part of the generated page", async () => {
  const sandbox = await generate({
    "shop.ridl": textOf(page, "shop.ridl"),
    "ridl.config.yaml": textOf(page, "ridl.config.yaml"),
  });
  const text = readFileSync(page, "utf8");
  const [, shown = ""] = /^````md api\.md\n(.*?)^````$/msu.exec(text) ?? [];
  expect(shown).toContain("### Shop.GetBook");
  expect(sandbox.read("generated/api.md")).toContain(shown);
});

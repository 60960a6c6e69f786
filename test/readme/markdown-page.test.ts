import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generate, textOf } from "./program.js";

const page = "docs/explorer.md";
const section = `${page}#Documentation in Markdown`;

test("docs/explorer.md shows part of the generated page", async () => {
  const sandbox = await generate({
    "shop.ridl": textOf(section, "shop.ridl"),
    "ridl.config.yaml": textOf(section, "ridl.config.yaml"),
  });
  const text = readFileSync(page, "utf8");
  const [, shown = ""] = /^````md api\.md\n(.*?)^````$/msu.exec(text) ?? [];
  expect(shown).toContain("### Shop.GetBook");
  expect(sandbox.read("generated/api.md")).toContain(shown);
});

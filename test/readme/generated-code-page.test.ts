import { expect, test } from "vitest";
import { generate, readBlocks, textOf } from "./program.js";

const page = "docs/generated-code.md#Generated code";

test("docs/generated-code.md shows the code generated from the contract on the page", async () => {
  const sandbox = await generate({ "shop.ridl": textOf(page, "shop.ridl") });
  const shown = readBlocks(page).filter(({ language }) => language === "ts");
  expect(shown.map(({ path }) => path)).toEqual([
    "generated/types.ts",
    "generated/validators.ts",
  ]);
  for (const { path, text } of shown) {
    expect(sandbox.read(path)).toContain(text);
  }
});

import { test } from "vitest";
import { compile, generate, readBlocks, textOf } from "./program.js";

const page = "docs/query.md";

// The test in `test/browser/query.browser.ts` runs this page.
test("docs/query.md has components that compile", async () => {
  const sandbox = await generate({
    "shop.ridl": textOf(page, "shop.ridl"),
    "ridl.config.yaml": textOf(page, "ridl.config.yaml"),
  });
  const shown = readBlocks(page).filter(({ language }) => language === "tsx");
  compile(
    sandbox,
    Object.fromEntries(shown.map(({ path, text }) => [path, text])),
  );
});

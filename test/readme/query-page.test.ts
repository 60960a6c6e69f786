import { test } from "vitest";
import { compile, generate, textOf } from "./program.js";

const page = "docs/query.md";

// The test in `test/browser/query.browser.ts` runs this page.
test("docs/query.md has a page that compiles", async () => {
  const sandbox = await generate({
    "shop.ridl": textOf(page, "shop.ridl"),
    "ridl.config.yaml": textOf(page, "ridl.config.yaml"),
  });
  compile(sandbox, { "page.tsx": textOf(page, "page.tsx") });
});

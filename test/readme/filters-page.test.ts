import { expect, test } from "vitest";
import { generate, textOf } from "./program.js";

const page = "docs/generated-code.md#Filters";

test("docs/generated-code.md shows the result of the filter on the page", async () => {
  const sandbox = await generate({
    "shop.ridl": textOf(page, "shop.ridl"),
    "ridl.config.yaml": textOf(page, "ridl.config.yaml"),
  });
  const output = Object.values(sandbox.snapshot("generated")).join("\n");
  for (const name of ["GetBook", "interface Book", "BookNotFound"]) {
    expect(output).toContain(name);
  }
  expect(output).not.toMatch(/stock|Restart|Admin/iu);
});

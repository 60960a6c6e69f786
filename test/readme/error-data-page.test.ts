import { expect, test } from "vitest";
import { compile, generate, readBlocks, run, textOf } from "./program.js";

test.each([
  "docs/errors.md#Errors with data",
  "docs/errors.md#Bodies of errors",
])("%s has programs with the documented output", async (page) => {
  const sandbox = await generate({ "shop.ridl": textOf(page, "shop.ridl") });
  const programs = readBlocks(page).filter(({ path }) => path.endsWith(".ts"));
  compile(
    sandbox,
    Object.fromEntries(programs.map(({ path, text }) => [path, text])),
  );
  expect(run(sandbox, "dist/client.js")).toBe(textOf(page, "client.txt"));
});

import { expect, test } from "vitest";
import { compile, generate, readBlocks, run, textOf } from "./program.js";

const page = "docs/error-data.md";

test("docs/error-data.md has programs with the documented output", async () => {
  const sandbox = await generate({ "shop.ridl": textOf(page, "shop.ridl") });
  const programs = readBlocks(page).filter(({ path }) => path.endsWith(".ts"));
  compile(
    sandbox,
    Object.fromEntries(programs.map(({ path, text }) => [path, text])),
  );
  expect(run(sandbox, "dist/client.js")).toBe(textOf(page, "client.txt"));
});

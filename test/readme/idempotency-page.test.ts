import { expect, test } from "vitest";
import { compile, generate, readBlocks, run, textOf } from "./program.js";

const page = "docs/idempotency.md";

test("docs/idempotency.md has programs with the documented output", async () => {
  const sandbox = await generate({ "bank.ridl": textOf(page, "bank.ridl") });
  const programs = readBlocks(page).filter(({ path }) => path.endsWith(".ts"));
  compile(
    sandbox,
    Object.fromEntries(programs.map(({ path, text }) => [path, text])),
  );
  expect(run(sandbox, "dist/client.js")).toBe(textOf(page, "client.txt"));
});

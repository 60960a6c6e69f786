import { expect, test } from "vitest";
import { compile, generate, readBlocks, run, textOf } from "./program.js";

test.each([
  ["docs/errors.md#Declare, throw and handle", "tickets.ridl"],
  ["docs/errors.md#Bodies of errors", "shop.ridl"],
])("%s has programs with the documented output", async (page, contract) => {
  const sandbox = await generate({ [contract]: textOf(page, contract) });
  const programs = readBlocks(page).filter(({ path }) => path.endsWith(".ts"));
  compile(
    sandbox,
    Object.fromEntries(programs.map(({ path, text }) => [path, text])),
  );
  expect(run(sandbox, "dist/client.js")).toBe(textOf(page, "client.txt"));
});

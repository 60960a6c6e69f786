import { expect, test } from "vitest";
import {
  compile,
  createHandlerProject,
  implement,
} from "../implement/handler-project.js";
import { readBlocks, textOf } from "./program.js";

const page = "docs/implement.md";

test("docs/implement.md shows the result of the command", async () => {
  const files = { "src/shop.ts": textOf(page, "src/shop.ts") };
  const sandbox = await createHandlerProject(files, textOf(page, "shop.ridl"));
  expect(await implement(sandbox)).toBe(textOf(page, "output"));
  expect(sandbox.read("src/shop.ts")).toBe(textOf(page, "after"));
  expect(compile(sandbox)).toBe("");
});

test("docs/implement.md shows the flags `--out` and `--rename`", async () => {
  const flags = readBlocks(page)
    .filter(({ language }) => language === "sh")
    .flatMap(
      ({ text }) => text.match(/(?<=ridlkit implement.*)--[a-z]+/gu) ?? [],
    );
  expect(flags).toEqual(["--out", "--rename"]);
});

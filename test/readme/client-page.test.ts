import { expect, test } from "vitest";
import { compile, generate, readBlocks, run, textOf } from "./program.js";

const page = "docs/client.md";
const blocks = readBlocks(page);
const programs = blocks.filter(({ path }) => path.endsWith(".ts"));
const outputs = blocks.filter(({ language }) => language === "text");

test("docs/client.md has programs with the documented output", async () => {
  const sandbox = await generate({ "shop.ridl": textOf(page, "shop.ridl") });
  compile(
    sandbox,
    Object.fromEntries(programs.map(({ path, text }) => [path, text])),
  );
  for (const { path, text } of outputs) {
    const program = `dist/${path.replace(/\.txt$/u, ".js")}`;
    expect(run(sandbox, program)).toBe(text);
  }
});

test("docs/client.md shows the output of every program except the server", () => {
  const nameOf = ({ path }: { path: string }): string =>
    path.replace(/\.\w+$/u, "");
  expect(["server", ...outputs.map(nameOf)]).toEqual(programs.map(nameOf));
});

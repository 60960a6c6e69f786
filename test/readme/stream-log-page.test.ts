import { expect, test } from "vitest";
import { compile, generate, run, textOf } from "./program.js";

const page = "docs/streams.md";

test("docs/streams.md has a log with the documented output", async () => {
  const sandbox = await generate({ "news.ridl": textOf(page, "news.ridl") });
  compile(sandbox, { "news.ts": textOf(page, "news.ts") });
  expect(run(sandbox, "dist/news.js")).toBe(textOf(page, "news.txt"));
});

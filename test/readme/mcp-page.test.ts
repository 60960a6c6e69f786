import { expect, test } from "vitest";
import { compilePage } from "./mcp-page.js";

// The test in `mcp-page.long.ts` runs these programs.
test("docs/mcp.md has programs that compile", async () => {
  const sandbox = await compilePage();
  const programs = ["server", "stdio", "version-1"];
  expect(programs.filter((name) => sandbox.has(`dist/${name}.js`))).toEqual(
    programs,
  );
});

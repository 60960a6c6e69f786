import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { catalog } from "../../generator/diagnostics/catalog.js";
import { createSandbox } from "./support/sandbox.js";

const pages = readdirSync("docs/diagnostics").map((name) =>
  name.replace(/\.md$/u, ""),
);

describe("ridl explain", () => {
  test.each(pages)("explains %s", async (code) => {
    const { exitCode, stdout } = await createSandbox().run(["explain", code]);
    expect(exitCode).toBe(0);
    expect(stdout.startsWith(`# ${code}\n`)).toBe(true);
  });

  test("lists only codes", async () => {
    const { stdout } = await createSandbox().run(["explain"]);
    expect(stdout).toMatch(/^(?:[a-z][a-z0-9-]*\n)+$/u);
  });

  test("suggests a similar code", async () => {
    const { exitCode, stderr } = await createSandbox().run([
      "explain",
      "foreign-fiel",
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("did you mean `foreign-file`?");
  });
});

test("the command line reports exactly the other codes that have a page", () => {
  const used = [
    ...[
      "generator/4-emit",
      "cli",
      "tools/breaking/compatibility",
      "tools/call",
    ],
    ...["tools/implement", "tools/import", "tools/mcp", "tools/migrate"],
    ...["tools/mock", "tools/test"],
  ]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts"))
        .map((path) => readFileSync(`${folder}/${path}`, "utf8")),
    )
    .flatMap((text) => [...text.matchAll(/code: "([a-z-]+)"/gu)])
    .map(([, code = ""]) => code)
    .filter((code) => !Object.hasOwn(catalog, code));
  const others = pages.filter((code) => !Object.hasOwn(catalog, code));
  expect([...new Set(used)].sort()).toEqual(others.sort());
});

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { linksIn } from "../../docs/site/agents.js";
import { buildSite, hasRegistry } from "./build-site.js";
import { pagesIn, sitePath } from "../../docs/site/pages.js";

const site = "dist/site";

describe.skipIf(!hasRegistry())("the documentation site", () => {
  let built: ReturnType<typeof buildSite>;

  beforeAll(() => {
    built = buildSite();
  });

  test("builds without a dead link", () => {
    expect(built.stderr).not.toMatch(/dead link|has overwritten/u);
    expect(built.status, built.stderr).toBe(0);
  });

  test.each(["docs", "docs/decisions", "docs/diagnostics"])(
    "has every page of %s",
    (folder) => {
      const missing = pagesIn(folder)
        .flatMap((path) => [
          sitePath(path).replace(/md$/u, "html"),
          sitePath(path),
        ])
        .map((path) => join(site, path))
        .filter((path) => !existsSync(path));
      expect(missing).toEqual([]);
    },
  );

  test("lists its pages for agents", () => {
    const listed = linksIn(readFileSync(join(site, "llms.txt"), "utf8"));
    const pages = pagesIn("docs").map(sitePath);
    const project = ["architecture.md", "index.md"];
    const missing = pages.filter((path) => !listed.includes(path));
    expect(missing.filter((path) => !project.includes(path))).toEqual([]);
    expect(listed).toContain("skills/ridl-contract/SKILL.md");
  });

  test("has the playground and the example, and links to them from the home page", () => {
    const home = readFileSync(join(site, "index.html"), "utf8");
    for (const [path, original] of [
      ["playground/index.html", "dist/playground/index.html"],
      ["example/index.html", "generated/explorer/index.html"],
    ] as const) {
      expect(readFileSync(join(site, path))).toEqual(readFileSync(original));
      expect(home).toContain(`href="/${path}"`);
    }
  });

  test("is smaller than 38 MB", () => {
    const size = readdirSync(site, { recursive: true, encoding: "utf8" })
      .map((path) => statSync(join(site, path)))
      .reduce((sum, each) => sum + (each.isFile() ? each.size : 0), 0);
    expect(size).toBeLessThan(38_000_000);
  });
});

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
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
        .map((path) => join(site, sitePath(path).replace(/\.md$/u, ".html")))
        .filter((path) => !existsSync(path));
      expect(missing).toEqual([]);
    },
  );

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

  test("is smaller than 36 MB", () => {
    const size = readdirSync(site, { recursive: true, encoding: "utf8" })
      .map((path) => statSync(join(site, path)))
      .reduce((sum, each) => sum + (each.isFile() ? each.size : 0), 0);
    expect(size).toBeLessThan(36_000_000);
  });
});

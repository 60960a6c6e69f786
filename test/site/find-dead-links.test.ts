import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findDeadLinks } from "../../docs/site/find-dead-links.js";

/** Creates a folder with these files for the duration of a test. */
function siteOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-site-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const page = '<h2 id="limits">Limits</h2>';

test.each(["/", "/ridlkit/"])("finds dead links on a site at %s", (base) => {
  const folder = siteOf({
    "index.html": `
      <a href="${base}server">page</a> <a href="server#limits">heading</a>
      <a href="https://example.com/none">elsewhere</a>
      <a href="${base}gone">no page</a> <a href="${base}server#gone">no heading</a>`,
    "server.html": page,
    "decisions/one.html": `<a href="../server.html#limits">up</a> <a href="two">no page</a>`,
  });
  expect([...findDeadLinks(folder, base)].sort()).toEqual([
    "decisions/one.html: two",
    `index.html: ${base}gone`,
    `index.html: ${base}server#gone`,
  ]);
});

test("finds links that point outside the site", () => {
  const folder = siteOf({
    "index.html": '<a href="/server">outside of the base</a>',
    "server.html": page,
  });
  expect(findDeadLinks(folder, "/ridlkit/")).toEqual(["index.html: /server"]);
});

test("finds dead links in Markdown, but not in code", () => {
  const folder = siteOf({
    "llms.txt": "- [`server`](server.md): one\n- [gone](gone.md): two\n",
    "index.html": page,
    "server.html": page,
    "server.md": "[up](index.md#limits)\n\n`[a](b)`\n\n```md\n[a](b)\n```\n",
  });
  expect([...findDeadLinks(folder, "/")].sort()).toEqual([
    "llms.txt: gone.md",
    "server.md: index.md#limits",
  ]);
});

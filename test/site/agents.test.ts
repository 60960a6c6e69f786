import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { linksIn, toSitePage } from "../../docs/site/agents.js";

const pages = new Set([
  "README.md",
  "bench/README.md",
  "docs/guides/webhooks.md",
  "docs/ridl.md",
]);

test("a page's copy in Markdown links to pages of the site", () => {
  const text = `
[\`files\`](../files.md#limits), [language](../ridl.md#text)
[home](../../README.md), [bench](../../bench/README.md#run)
[source](../../package.json), [elsewhere](https://example.com), [below](#one)
![a picture](../assets/terminal.svg)
\`[code](../ridl.md)\`

\`\`\`md
[code](../ridl.md)
\`\`\`
`;
  expect(toSitePage(text, "docs/guides/webhooks.md", pages)).toBe(`
\`files\`, [language](../ridl.md#text)
[home](../overview.md), [bench](../bench/index.md#run)
source, [elsewhere](https://example.com), [below](#one)
a picture
\`[code](../ridl.md)\`

\`\`\`md
[code](../ridl.md)
\`\`\`
`);
});

test("finds the links of a page", () => {
  const links = linksIn(readFileSync("docs/quick-start.md", "utf8"));
  expect(links).toContain("templates.md#project-scaffolds");
});

import { expect, test } from "vitest";
import { pagesIn, sitePath } from "../../docs/site/pages.js";
import { findUnlisted, sidebar } from "../../docs/site/sidebar.js";

interface Item {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly Item[];
}

const groups: Readonly<Record<string, readonly Item[]>> = sidebar;

/** Returns the items with a link, at all levels. */
function itemsOf(items: readonly Item[]): readonly Item[] {
  return items.flatMap((item) => [
    ...(item.link === undefined ? [] : [item]),
    ...itemsOf(item.items ?? []),
  ]);
}

function linksOf(items: readonly Item[]): readonly string[] {
  return itemsOf(items).map(({ link = "" }) => link);
}

test("the sidebar of the site lists every page of docs", () => {
  expect(findUnlisted(pagesIn("docs"))).toEqual([]);
  expect(findUnlisted(pagesIn("docs/guides"))).toEqual([]);
  const links = linksOf(groups["/"] ?? []);
  expect(links.slice(0, 2)).toEqual(["/quick-start", "/learn"]);
  expect(linksOf(groups["/guides/"] ?? [])).toContain("/guides/payments");
});

test("the sidebar has at most 45 links", () => {
  expect(linksOf(groups["/"] ?? []).length).toBeLessThanOrEqual(45);
});

test.each(Object.keys(groups))(
  "no two links of %s have the same text",
  (key) => {
    const texts = itemsOf(groups[key] ?? []).map(({ text }) => text);
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  },
);

test("reports a page that the sidebar omits", () => {
  expect(findUnlisted(["docs/new.md", "docs/ridl.md"])).toEqual([
    "docs/new.md",
  ]);
});

test("the sidebars of diagnostics list every page, and each links to every letter", () => {
  const pages = pagesIn("docs/diagnostics");
  const links = pages.map((path) => `/${sitePath(path).replace(".md", "")}`);
  const letters = Object.keys(groups).filter((prefix) =>
    prefix.startsWith("/diagnostics/"),
  );
  const listed = letters.flatMap((prefix) =>
    linksOf(groups[prefix] ?? []).filter((link) => link.startsWith(prefix)),
  );
  expect(listed.sort()).toEqual([...links].sort());
  for (const prefix of letters) {
    const shown = linksOf(groups[prefix] ?? []);
    const reached = letters.filter((letter) =>
      shown.some((link) => link.startsWith(letter)),
    );
    expect(reached).toEqual(letters);
  }
});

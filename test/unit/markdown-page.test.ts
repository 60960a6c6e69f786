import { describe, expect, test } from "vitest";
import { markdownEmitter } from "../../generator/4-emit/markdown/markdown.js";
import { expectInert } from "../support/expect-inert.js";
import { goldenCases } from "../support/golden-cases.js";

/** Anchors as GitHub makes them: of repeated headings, with a number. */
function anchorsOf(page: string): readonly string[] {
  const prose = page.replace(/^```\w*\n[\s\S]*?^```$/gmu, "");
  const counts = new Map<string, number>();
  return [...prose.matchAll(/^#+ (.*)$/gmu)].map(([, heading = ""]) => {
    const slug = heading
      .replace(/\\(.)/gu, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-");
    let name = slug;
    while (counts.has(name)) {
      const count = (counts.get(slug) ?? 0) + 1;
      counts.set(slug, count);
      name = `${slug}-${count}`;
    }
    counts.set(name, 0);
    return name;
  });
}

describe("the page of a contract", () => {
  test.each(goldenCases().map((golden) => [golden.name, golden] as const))(
    "%s has no link that leads nowhere, and no markup of the schema",
    (_, { contract, options }) => {
      const pages = markdownEmitter.emit(contract, {
        ...options,
        markdown: true,
      });
      expect(pages).toHaveLength(contract.hosts.length);
      for (const { text } of pages) {
        expectInert(text);
        const anchors = anchorsOf(text);
        const links = [...text.matchAll(/\]\(#([^)]*)\)/gu)].map(
          ([, anchor = ""]) => decodeURI(anchor),
        );
        expect(links).not.toEqual([]);
        expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
        expect(new Set(anchors).size).toBe(anchors.length);
      }
    },
  );
});

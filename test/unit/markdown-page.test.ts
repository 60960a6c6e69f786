import { describe, expect, test } from "vitest";
import { markdownEmitter } from "../../generator/4-emit/markdown/markdown.js";
import {
  contract,
  field,
  host,
  list,
  map,
  message,
  method,
  reference,
  scalar,
  service,
  struct,
} from "../support/contract-parts.js";
import { expectInert } from "../support/expect-inert.js";
import { goldenCases } from "../support/golden-cases.js";

/** Returns GitHub's anchors. Anchors of repeated headings end with a number. */
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
    "%s has no dead links and no markup from the schema",
    (_, golden) => {
      const pages = markdownEmitter.emit(golden.contract, golden.options);
      expect(pages).toHaveLength(golden.contract.hosts.length);
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

  test.each([
    [map(scalar("string"), list(scalar("timestamp"))), "`timestamp` is a"],
    [scalar("bigint"), "`bigint` is a string of decimal digits."],
    [list(scalar("uint8")), "a list of `byte` or `uint8` is a base64 string."],
    [scalar("uint8"), null],
  ])("explains how JSON represents a type that it lacks: %j", (type, note) => {
    const data = struct("Data", [field("data", type)]);
    const request = message([field("all", list(reference("Data")))]);
    const put = method("Shop", "Put", { request });
    const shop = host("shop", [service("Shop", [put])]);
    const made = contract([data], [shop]);
    const [{ text = "" } = {}] = markdownEmitter.emit(made, {
      int64: "number",
      timestamp: "string",
      runtime: "import",
      importExtension: ".js",
    });
    if (note === null) expect(text).not.toContain("In JSON");
    else expect(text).toContain(`In JSON, ${note}`);
  });
});

import {
  docsCell,
  markdownDocs,
  codeCell,
  markdownCode,
  markdownComment,
  markdownText,
} from "../../generator/4-emit/templates/markdown-text.js";
import { describe, expect, test } from "vitest";

const invisible = "a\u001b[1m\r\n\u202e\u2028\ud800b";

test("shows invisible characters as a space", () => {
  expect(markdownText(invisible)).toBe("a \\[1m b");
  expect(markdownCode(invisible)).toBe("`a [1m b`");
  expect(markdownComment(invisible)).toBe("a [1m b");
});

test("escapes Markdown and HTML", () => {
  expect(markdownText("<b> *x* [y](z)")).toBe("\\<b\\> \\*x\\* \\[y\\](z)");
  expect(markdownComment("a --> <b>")).toBe("a - b");
});

test("fences code with more backticks than it contains", () => {
  expect(markdownCode("a``b")).toBe("```a``b```");
  expect(markdownCode("`a")).toBe("`` `a ``");
  expect(markdownCode("")).toBe("`  `");
  expect(codeCell("a|b\\")).toBe("<code>a&#124;b&#92;</code>");
});

describe("docs", () => {
  const docsOf = (...lines: readonly string[]) => markdownDocs({ lines });

  test("keep paragraphs separate", () => {
    expect(docsOf("One", "line.", "", "", "Another.")).toBe(
      "One\nline.\n\nAnother.",
    );
    expect(docsOf()).toBe("");
  });

  test.each([
    "*one* and **two** and `three`",
    "- one\n- two",
    "[web](https://example.com)",
    "a \\* b \\` c",
    '```json\n{ "a": "<b>" }\n```',
  ])("keep %j", (text) => {
    expect(docsOf(...text.split("\n"))).toBe(text);
  });

  test.each([
    ["<b>", "\\<b\\>"],
    ["a & b; &#x202e; &#8238; &rlm;", "a & b; \\&#x202e; \\&#8238; \\&rlm;"],
    ["a\u202eb", "a b"],
    ["\\<b>", "\\<b\\>"],
    ["\\\\<b>", "\\\\\\<b\\>"],
    ["`<b>` <b>", "`<b>` \\<b\\>"],
    ["`a", "\\`a"],
    ["``` a", "\\`\\`\\` a"],
    ["[a](javascript:x)", "[a\\](javascript:x)"],
    ["[a](", "[a\\]("],
    ["[a]: https://example.com", "[a\\]: https://example.com"],
    ["![a](https://example.com)", "\\![a](https://example.com)"],
    ["# Title", "\\# Title"],
    ["- # Title", "- \\# Title"],
    ["---", "\\---"],
    ["==", "\\=="],
    ["~~~", "\\~~~"],
  ])("escape %j", (text, expected) => {
    expect(docsOf(text)).toBe(expected);
  });

  test("keep the indentation of code, without that of its fence", () => {
    expect(docsOf("  ```python", "  if a:", "      b", "  ```", "  c")).toBe(
      "```python\nif a:\n    b\n```\n\nc",
    );
  });

  test("escape a fence that does not end or that ends early", () => {
    expect(docsOf("```", "<b>")).toBe("\\`\\`\\`\n\\<b\\>");
    expect(docsOf("```", "````", "<b>", "```")).not.toMatch(/^<|[^\\]</mu);
  });

  test("stay in their table cell", () => {
    const lines = ["a|b", "\\|", "`c|d`", "```x", "<b>|", "```"];
    const cell = docsCell({ lines });
    expect(cell.replace(/\\.|<code>.*?<\/code>/gu, "")).not.toMatch(/[|<>\n]/u);
    expect(cell).toContain("a\\|b \\| <code>c&#124;d</code>");
  });
});

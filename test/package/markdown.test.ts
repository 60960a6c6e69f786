import { expect, test } from "vitest";
import {
  codeCell,
  markdownCode,
  markdownComment,
  markdownDocs,
  markdownText,
} from "../../generator/package/markdown.js";

const invisible = "a\u001b[1m\r\n\u202e\u2028\ud800b";

test("shows invisible characters as a space", () => {
  expect(markdownText(invisible)).toBe("a \\[1m b");
  expect(markdownCode(invisible)).toBe("`a [1m b`");
  expect(markdownComment(invisible)).toBe("a [1m b");
});

test("escapes what Markdown and HTML read", () => {
  expect(markdownText("<b> *x* [y](z)")).toBe("\\<b\\> \\*x\\* \\[y\\](z)");
  expect(markdownComment("a --> <b>")).toBe("a - b");
});

test("fences code by more backticks than it has", () => {
  expect(markdownCode("a``b")).toBe("```a``b```");
  expect(markdownCode("`a")).toBe("`` `a ``");
  expect(markdownCode("")).toBe("`  `");
  expect(codeCell("a|b")).toBe("`a\\|b`");
});

test("keeps paragraphs of docs apart", () => {
  const lines = ["One", "line.", "", "", "Another."];
  expect(markdownDocs({ lines, origins: [] })).toBe("One line.\n\nAnother.");
  expect(markdownDocs({ lines: [], origins: [] })).toBe("");
});

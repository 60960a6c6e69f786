/**
 * Texts of other programs that PostgreSQL does not store or that people misread,
 * and their excerpts.
 */
export const hostileTexts = [
  { name: "NUL", text: "a\0b", excerpt: "a b" },
  { name: "a lone high surrogate", text: "a\ud800b", excerpt: "a b" },
  { name: "a lone low surrogate", text: "a\udc00b", excerpt: "a b" },
  { name: "several lines", text: "a\r\nb\u001b\n", excerpt: "a b" },
  {
    name: "characters that change the text direction",
    text: "a\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069b",
    excerpt: "a b",
  },
  {
    name: "a text of 1 MB",
    text: "😀\0".repeat(350_000),
    excerpt: "😀 ".repeat(500).trimEnd(),
  },
] as const;

import { expect, test } from "vitest";
import { loadDocuments } from "../../generator/1-parse/load/load-documents.js";
import type { LoadedDocument } from "../../generator/1-parse/load/load-documents.js";
import { reviseDocument } from "../../generator/1-parse/load/revise-document.js";
import { shop } from "../language-service/support/shop.js";
import { Random } from "../support/random.js";

function load(text: string): LoadedDocument {
  const documents = loadDocuments(["a.ridl"], { read: () => text });
  const document = documents.get("a.ridl");
  if (!document) throw new Error("not loaded");
  return document;
}

const pieces = [
  ...["\n", " ", "#", "# note\n", "@", "@deprecated\n", "- ", ":", "?", "("],
  ...['"', "{", "}", "x", "struct B\n", "  - id: Item\n", "    + json = x\n"],
  ...["error 7 Seven\n", 'import\n  - "a.ridl"\n', "type E: []E\n", "{\n"],
  ...["service D\n  - proxy Ping\n", "name = x\n", "enum C: string\n  - A\n"],
];

test("revising a document has the same result as parsing the whole document", () => {
  const random = new Random(7);
  const original = shop["common.ridl"] + shop["api.ridl"];
  let document = load(original);
  let revisions = 0;
  for (let step = 0; step < 400; step++) {
    const { text } = document.syntax.source;
    const start = random.below(text.length + 1);
    const end = Math.min(
      text.length,
      start + random.below(2) * random.below(9),
    );
    const piece = random.maybeOneOf(pieces) ?? "";
    // Most documents are valid, as in practice.
    const isReset = random.below(3) === 0 || text.length > 3_000;
    const next = isReset
      ? original
      : text.slice(0, start) + piece + text.slice(end);
    const revision = reviseDocument(document, next);
    const expected = load(next);
    if (revision !== null) {
      revisions++;
      expect(revision.document, `step ${step}`).toEqual(expected);
    }
    document = revision?.document ?? expected;
  }
  expect(revisions).toBeGreaterThan(100);
});

test("a revision keeps unchanged declarations", () => {
  const structs = Array.from(
    { length: 9 },
    (_, index) => `# Part ${index}.\nstruct Part${index}\n  - id: string\n\n`,
  );
  const before = load(structs.join(""));
  const { items } = before.syntax;
  const text = before.syntax.source.text.replace("string", "bool");
  const revision = reviseDocument(before, text);
  expect(revision?.removed).toEqual([items[0]]);
  expect(revision?.added).toHaveLength(1);
  const [, ...others] = revision?.document.syntax.items ?? [];
  expect(others).toHaveLength(8);
  for (const [index, other] of others.entries()) {
    expect(other).toBe(items[index + 1]);
  }
});

test("a document in JSON form is parsed as a whole", () => {
  const read = (): string => '{"webrpc": "v1"}';
  const document = loadDocuments(["a.json"], { read }).get("a.json");
  expect(document && reviseDocument(document, read())).toBeNull();
});

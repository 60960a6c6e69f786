import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  fromFragment,
  toFragment,
} from "../../apps/playground/editor/share.js";

const documents = fc.array(
  fc.tuple(fc.string(), fc.string({ unit: "grapheme" })),
  {
    minLength: 1,
    maxLength: 50,
  },
);

function pack(value: unknown): string {
  return deflateRawSync(JSON.stringify(value)).toString("base64url");
}

test("a link contains the documents", async () => {
  await fc.assert(
    fc.asyncProperty(documents, async (each) => {
      const fragment = await toFragment(each);
      expect(fragment).toMatch(/^[\w-]+$/u);
      expect(await fromFragment(fragment ?? "")).toEqual(each);
    }),
  );
});

test.each([
  ["too many documents", Array<[string, string]>(51).fill(["a.ridl", ""])],
  ["too much text", [["a.ridl", "é".repeat(500_000)] as const]],
])("creates no link for %s", async (_, each) => {
  expect(await toFragment(each)).toBeNull();
});

test("reads links that zlib has compressed", async () => {
  const each = [["a.ridl", "webrpc = v1\n"]];
  expect(await fromFragment(pack(each))).toEqual(each);
});

test.each([
  ["invalid base64", "%%%"],
  ["uncompressed text", "abcd"],
  ["invalid JSON", deflateRawSync("{").toString("base64url")],
  ["a value that is not a list", pack({})],
  ["no documents", pack([])],
  ["a document that is not a pair of strings", pack([["a.ridl", 1]])],
  ["too many documents", pack(Array(51).fill(["a.ridl", ""]))],
  ["too much text", pack([["a.ridl", "a".repeat(1_000_000)]])],
])("rejects a link with %s", async (_, fragment) => {
  expect(await fromFragment(fragment)).toBeNull();
});

import * as fc from "fast-check";
import { expect, it } from "vitest";
import { decodeBody } from "../../../runtime/typescript/server/requests/body.js";

/** Returns what a decoder that refuses invalid bytes returns. */
function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return decodeBody(bytes);
  } catch (error) {
    expect(error).toMatchObject({ status: 400, cause: "body is not UTF-8" });
    return null;
  }
}

it.each([
  ["a replacement character", [0xef, 0xbf, 0xbd], "\uFFFD"],
  ["a byte order mark", [0xef, 0xbb, 0xbf, 0x61], "a"],
  [
    "a byte order mark and a replacement",
    [239, 187, 191, 239, 191, 189],
    "\uFFFD",
  ],
  ["two byte order marks", [239, 187, 191, 239, 187, 191], "\uFEFF"],
  ["three of the four bytes of a character", [0xf0, 0x9f, 0x98, 0x61], null],
  ["a lone surrogate", [0xed, 0xa0, 0x80], null],
  ["a replacement character and an invalid byte", [239, 191, 189, 0xff], null],
])("decodes %s", (_, bytes, text) => {
  expect(decoded(Uint8Array.from(bytes))).toBe(text);
});

it("decodes what a strict decoder decodes, and refuses the rest", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 4 }),
    fc.string({ unit: "grapheme" }).map((each) => Buffer.from(each)),
    fc.constantFrom(Buffer.from("\uFFFD"), Buffer.from("\uFEFF")),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const bytes = Uint8Array.from(pieces.flatMap((each) => [...each]));
      expect(decoded(bytes)).toBe(decodeStrictly(bytes));
    }),
    { numRuns: 1_000 },
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";

import {
  hashEventSignature,
  parseEventSignature,
} from "../../services/indexer/event-signature.js";

const space = fc.constantFrom(" ", "  ", "\t");
const array = fc.constantFrom("", "", "[]", "[3]", "[][2]");
const name = fc.constantFrom("", "a", "_id", "$x", "uintish", "indexedAt");
const elementary = fc.constantFrom(
  ...["uint", "int", "uint8", "int256", "address", "bool", "string"],
  ...["bytes", "bytes32"],
);

/** A type with its array brackets. */
const { type } = fc.letrec<{ type: string }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(elementary, array).map((parts) => parts.join("")),
    fc
      .tuple(
        fc.array(
          fc
            .tuple(tie("type"), space, name)
            .map((parts) => parts.join("").trimEnd()),
          { minLength: 1, maxLength: 3 },
        ),
        array,
      )
      .map(([members, suffix]) => `(${members.join(", ")})${suffix}`),
  ),
}));

const argument = fc
  .tuple(type, space, fc.constantFrom("", "indexed "), name)
  .map((parts) => parts.join("").trimEnd());

test("hashes a signature to the same topic as parsing it", () => {
  const event = fc
    .tuple(
      fc.constantFrom("E", "$e1", "uint256s"),
      fc.array(argument, { maxLength: 3 }),
      fc.constantFrom(",", ", ", " ,"),
    )
    .map(([title, all, comma]) => `${title}(${all.join(comma)})`);
  let valid = 0;
  fc.assert(
    fc.property(event, (text) => {
      let topicHash: string;
      try {
        ({ topicHash } = parseEventSignature(text));
      } catch {
        return;
      }
      valid += 1;
      expect(hashEventSignature(text)).toBe(topicHash);
    }),
    { numRuns: 2000 },
  );
  expect(valid).toBeGreaterThan(20);
});

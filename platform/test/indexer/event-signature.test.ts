import fc from "fast-check";
import { expect, test } from "vitest";

import {
  createEventParser,
  type EventSignature,
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

test("hashes a signature and reads its arguments as parsing it does", () => {
  const { hash, parse } = createEventParser();
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
      let expected: EventSignature;
      try {
        expected = parseEventSignature(text);
      } catch {
        return;
      }
      valid += 1;
      const { topicHash } = expected;
      expect(hash(text)).toBe(topicHash);
      // The types come from another text with the same topic.
      parse(topicHash, expected.signature);
      expect(parse(topicHash, text)).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
  expect(valid).toBeGreaterThan(20);
});

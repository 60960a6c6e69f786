// Checks the tag and the members of unions, as generated validators do.
import {
  failTag,
  hasOneOf,
  type UnknownVariant,
} from "@ridlkit/runtime/unions";
import { printFailures, validate } from "@ridlkit/runtime/validation";

const found = validate(
  (value, report) =>
    failTag(report, "kind", ["created", "deleted"], Object(value).kind),
  { kind: "creatd" },
);
console.log(printFailures(found)); // kind: expected one of "created", "deleted" (did you mean "created"?), got "creatd"
console.log(hasOneOf({ card: 1, iban: null }, ["card", "iban"])); // true

/** Prints the tag of a variant that this version does not know. */
export function describe(variant: UnknownVariant<"kind">): string {
  return `unknown: ${String(variant.kind)}`;
}

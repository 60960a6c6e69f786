import type { EnumDeclaration, EnumMember } from "../../1-parse/ast.js";
import type { IntegerName } from "../../ir/contract.js";
import { isIntegerName, scalars } from "../../ir/scalars.js";
import { didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import { inNodes, locate } from "../report/finding.js";
import type { CheckRules } from "./rule.js";

/** Rules about enums. */
export const enumRules = {
  "invalid-enum-base": inNodes(["enums"], ({ syntax: { base }, document }) => {
    if (base.text === "" || BASES.includes(base.text)) return false;
    return {
      at: base,
      message: `an enum cannot be of type \`${base.text}\``,
      notes: [
        "the type of an enum is `string` or an integer type such as `uint32`",
      ],
      ...(!isIntegerName(base.text) &&
        didYouMean(base.text, BASES, locate(document, base))),
    };
  }),

  "invalid-enum-value": inNodes(["members"], ({ syntax: { value }, owner }) => {
    const base = owner.base.text;
    if (value === undefined || !isIntegerName(base)) return false;
    if (isValueOf(base, value.text)) return false;
    const [smallest, largest] = scalars[base].range;
    return {
      at: value,
      message: `\`${value.text}\` is not a value of \`${base}\``,
      notes: [`\`${base}\` has values from ${smallest} to ${largest}`],
    };
  }),

  // Two members with the same value cannot be told apart on the wire.
  "duplicate-enum-value": inNodes(["enums"], ({ syntax }) =>
    findDuplicates(syntax.members, (member, index) =>
      valueOf(syntax, member, index),
    )
      // Equal names are reported as `duplicate-enum-member`.
      .filter(({ first, again }) => first.name.text !== again.name.text)
      .map(({ first, again, key }) => ({
        at: again.value ?? again.name,
        severity: "warning",
        message: `members \`${first.name.text}\` and \`${again.name.text}\` have the same value \`${key}\``,
        related: [{ at: first.value ?? first.name, label: "first used here" }],
        ...(again.value === undefined && {
          notes: [
            "if no value is given, the value of a member is its name in a string enum, and its position (counted from 0) in an integer enum",
          ],
        }),
      })),
  ),

  "empty-enum": inNodes(
    ["enums"],
    ({ syntax: { members, name }, document }) =>
      members.length === 0 &&
      !document.isBroken && {
        at: name,
        severity: "warning",
        message: `enum \`${name.text}\` has no members, so no value is valid`,
        help: "add members, e.g. `- UNKNOWN`",
      },
  ),
} satisfies CheckRules;

const BASES = ["int", "uint", "string"].concat(
  ["8", "16", "32", "64"].flatMap((bits) => [`int${bits}`, `uint${bits}`]),
);

function isValueOf(base: IntegerName, text: string): boolean {
  if (!/^-?[0-9]+$/.test(text)) return false;
  const value = BigInt(text);
  const [smallest, largest] = scalars[base].range;
  return value >= smallest && value <= largest;
}

function valueOf(
  { base }: EnumDeclaration,
  { name, value }: EnumMember,
  index: number,
): string {
  if (value) {
    const isNumber = base.text !== "string" && /^-?[0-9]+$/u.test(value.text);
    return isNumber ? String(BigInt(value.text)) : value.text;
  }
  return base.text === "string" ? name.text : String(index);
}

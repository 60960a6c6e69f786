import type { IntegerName } from "../../ir/contract.js";
import { integerRanges, isIntegerName } from "../../ir/integer-ranges.js";
import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Values of an integer enum are integers of its type. */
export const invalidEnumValue: Rule = ({ nodes }) =>
  nodes.enums.flatMap(({ syntax, document }) =>
    syntax.members.flatMap(({ value }) => {
      const base = syntax.base.text;
      if (value === undefined || !isIntegerName(base)) return [];
      if (isValueOf(base, value.text)) return [];
      const [smallest, largest] = integerRanges[base];
      return reportError(
        "invalid-enum-value",
        locate(document, value),
        `\`${value.text}\` is not a value of \`${base}\``,
        {
          notes: [`\`${base}\` holds integers from ${smallest} to ${largest}`],
        },
      );
    }),
  );

function isValueOf(base: IntegerName, text: string): boolean {
  if (!/^-?[0-9]+$/.test(text)) return false;
  const value = BigInt(text);
  const [smallest, largest] = integerRanges[base];
  return value >= smallest && value <= largest;
}

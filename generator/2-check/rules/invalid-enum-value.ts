import type { IntegerName } from "../../ir/contract.js";
import { isIntegerName, scalars } from "../../ir/scalars.js";
import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Values of an integer enum are integers of its type. */
export const invalidEnumValue: Rule = ({ nodes }) =>
  nodes.enums.flatMap(({ syntax, document }) =>
    syntax.members.flatMap(({ value }) => {
      const base = syntax.base.text;
      if (value === undefined || !isIntegerName(base)) return [];
      if (isValueOf(base, value.text)) return [];
      const [smallest, largest] = scalars[base].range;
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
  const [smallest, largest] = scalars[base].range;
  return value >= smallest && value <= largest;
}

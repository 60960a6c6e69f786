import { isIntegerName } from "../../ir/scalars.js";
import { locate, reportError } from "../report/report.js";
import { didYouMean } from "../report/did-you-mean.js";
import type { Rule } from "./rule.js";

const BASES = ["int", "uint", "string"].concat(
  ["8", "16", "32", "64"].flatMap((bits) => [`int${bits}`, `uint${bits}`]),
);

/** An enum is made of integers or of strings. */
export const invalidEnumBase: Rule = ({ nodes }) =>
  nodes.enums.flatMap(({ syntax: { base }, document }) => {
    if (base.text === "" || BASES.includes(base.text)) return [];
    const place = locate(document, base);
    return reportError(
      "invalid-enum-base",
      place,
      `an enum cannot be of type \`${base.text}\``,
      {
        notes: [
          "the type of an enum is `string` or an integer such as `uint32`",
        ],
        ...(!isIntegerName(base.text) && didYouMean(base.text, BASES, place)),
      },
    );
  });

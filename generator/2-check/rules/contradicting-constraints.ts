import { findMetadata } from "../notation/metadata.js";
import { parseCount, parseNumber } from "../notation/numbers.js";
import { locate, relate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

const RANGES = [
  ["minimum", "maximum", parseNumber],
  ["minLength", "maxLength", parseCount],
  ["minItems", "maxItems", parseCount],
  ["minProperties", "maxProperties", parseCount],
] as const;

/** A lower limit is not above the upper one: no value would do. */
export const contradictingConstraints: Rule = ({ nodes }) =>
  [...nodes.fields, ...nodes.aliases].flatMap(({ syntax, document }) => {
    if (syntax.metadata.length < 2) return [];
    return RANGES.flatMap(([lowerKey, upperKey, parse]) => {
      const lower = findMetadata(syntax, lowerKey);
      const upper = findMetadata(syntax, upperKey);
      if (lower === undefined || upper === undefined) return [];
      const least = parse(lower.value.text);
      const most = parse(upper.value.text);
      if (least === null || most === null || least <= most) return [];
      return reportError(
        "contradicting-constraints",
        locate(document, upper.value),
        `\`${upperKey}\` of \`${syntax.name.text}\` is below its \`${lowerKey}\``,
        { related: [relate(document, lower.value, `\`${lowerKey}\` is here`)] },
      );
    });
  });

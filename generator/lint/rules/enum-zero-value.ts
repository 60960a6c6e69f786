import { locate } from "../../2-check/report/report.js";
import type { LintRule } from "./rule.js";

/** Languages with zero values begin with 0: it should be a member. */
export const enumZeroValue: LintRule = {
  code: "enum-zero-value",
  category: "standard",
  find: ({ nodes }) =>
    nodes.enums.flatMap(({ syntax: { base, members, name }, document }) => {
      const values = members.map(({ value }, index) =>
        value ? Number(value.text) : index,
      );
      const isFine =
        base.text === "string" || values.length === 0 || values.includes(0);
      if (isFine) return [];
      return {
        location: locate(document, name),
        message: `enum \`${name.text}\` has no member with the value 0`,
        notes: ["in Go and others a field that nobody sets is 0"],
        help: "add a first member such as `UNKNOWN = 0`",
      };
    }),
};

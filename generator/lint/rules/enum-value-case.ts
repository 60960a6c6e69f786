import { locate } from "../../2-check/report/report.js";
import type { LintRule } from "./rule.js";

const styles: readonly (readonly [name: string, form: RegExp])[] = [
  ["UPPER_CASE", /^[A-Z][A-Z0-9_]*$/],
  ["lower_case", /^[a-z][a-z0-9_]*$/],
  ["PascalCase", /^[A-Z][A-Za-z0-9]*$/],
  ["camelCase", /^[a-z][A-Za-z0-9]*$/],
];

/** The members of an enum are written in one style, whichever it is. */
export const enumValueCase: LintRule = {
  code: "enum-value-case",
  category: "standard",
  find: ({ nodes }) =>
    nodes.enums.flatMap(({ syntax: { members, name }, document }) => {
      const names = members.map((member) => member.name);
      const counts = styles.map(
        ([, form]) => names.filter(({ text }) => form.test(text)).length,
      );
      const [style, form] = styles[counts.indexOf(Math.max(...counts))] ?? [];
      if (form === undefined) return [];
      return names
        .filter(({ text }) => !form.test(text))
        .map((member) => ({
          location: locate(document, member),
          message: `\`${member.text}\` is not in ${style ?? ""}, as most members of \`${name.text}\` are`,
          help: "rename it; this changes the wire unless it has a value of its own",
        }));
    }),
};

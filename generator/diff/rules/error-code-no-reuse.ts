import { breaksEveryone } from "../facts/change.js";
import type { BreakingRule } from "../facts/rule.js";

/** Old clients know the code, and take the new error for the old one. */
export const errorCodeNoReuse: BreakingRule = {
  code: "error-code-no-reuse",
  find: ({ errors: { removed, added } }) =>
    removed.flatMap((old) =>
      added
        .filter(({ code }) => code === old.code)
        .map(({ name, code }) => ({
          effects: breaksEveryone,
          message: `code ${code} meant \`${old.name}\`, and now means \`${name}\``,
          before: { kind: "error", name: old.name },
          after: { kind: "error", name },
          help: `give \`${name}\` a code that was never used, and keep \`${old.name}\``,
        })),
    ),
};

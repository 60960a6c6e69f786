import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

const MEMBER_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** webrpc takes any word here, and then generates code that does not compile. */
export const invalidEnumMemberName: Rule = ({ nodes }) =>
  nodes.enums.flatMap(({ syntax, document }) =>
    syntax.members.flatMap(({ name }) => {
      if (name.text === "" || MEMBER_NAME.test(name.text)) return [];
      return reportError(
        "invalid-enum-member-name",
        locate(document, name),
        `\`${name.text}\` cannot be the name of an enum member`,
        {
          notes: [
            "a member's name begins with a letter or `_`, followed by letters, digits and `_`",
          ],
          ...(syntax.base.text === "string" && {
            help: `give it a name and a value: \`- NAME = ${JSON.stringify(name.text)}\``,
          }),
        },
      );
    }),
  );

import { findDuplicates } from "../report/duplicates.js";
import { locate, relate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Members of an enum have different names. */
export const duplicateEnumMember: Rule = ({ nodes }) =>
  nodes.enums.flatMap(({ syntax, document }) =>
    findDuplicates(syntax.members, ({ name }) => name.text).map(
      ({ first, again }) =>
        reportError(
          "duplicate-enum-member",
          locate(document, again.name),
          `member \`${again.name.text}\` is declared twice in enum \`${syntax.name.text}\``,
          {
            related: [relate(document, first.name, "first declared here")],
            help: "rename or remove one of them",
          },
        ),
    ),
  );

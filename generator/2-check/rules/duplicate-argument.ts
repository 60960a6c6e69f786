import { findDuplicates } from "../report/duplicates.js";
import { locate, relate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** webrpc takes two arguments of one name, and then one of them is lost. */
export const duplicateArgument: Rule = ({ nodes }) =>
  nodes.messages.flatMap(({ syntax, document, owner }) =>
    findDuplicates(syntax.arguments, ({ name }) => name.text).map(
      ({ first, again }) =>
        reportError(
          "duplicate-argument",
          locate(document, again.name),
          `argument \`${again.name.text}\` is declared twice in method \`${owner.name.text}\``,
          {
            related: [relate(document, first.name, "first declared here")],
            help: "rename or remove one of them",
          },
        ),
    ),
  );

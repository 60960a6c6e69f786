import { findDuplicates } from "../report/duplicates.js";
import { locate, relate, reportError } from "../report/report.js";
import { foldName } from "../program/scope.js";
import type { Rule } from "./rule.js";

/** Methods of a service differ in more than case. */
export const duplicateMethod: Rule = ({ nodes }) =>
  nodes.services.flatMap(({ syntax, document }) =>
    findDuplicates(syntax.methods, ({ name }) => foldName(name.text)).map(
      ({ first, again }) =>
        reportError(
          "duplicate-method",
          locate(document, again.name),
          `method \`${again.name.text}\` is declared twice in service \`${syntax.name.text}\``,
          {
            related: [relate(document, first.name, "first declared here")],
            help: "rename one of them, or merge their arguments",
          },
        ),
    ),
  );

import { findDuplicates } from "../report/duplicates.js";
import { locate, relate, reportError } from "../report/report.js";
import { foldName } from "../program/scope.js";
import type { Rule } from "./rule.js";

/** Fields of a struct differ in more than case. */
export const duplicateField: Rule = ({ nodes }) =>
  nodes.structs.flatMap(({ syntax, document }) =>
    findDuplicates(syntax.fields, ({ name }) => foldName(name.text)).map(
      ({ first, again }) =>
        reportError(
          "duplicate-field",
          locate(document, again.name),
          `field \`${again.name.text}\` is declared twice in struct \`${syntax.name.text}\``,
          {
            related: [relate(document, first.name, "first declared here")],
            help: "rename or remove one of them",
          },
        ),
    ),
  );
